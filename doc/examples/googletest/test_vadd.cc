// SPDX-License-Identifier: Apache-2.0
// What vadd does when OpenCL fails, with GoogleTest: a fault that never fires,
// and a run without openclaw's layer, are failures of the test.
#include <gtest/gtest.h>

#define CLAW_FAULT_FAIL(file_, line_, message_) \
	ADD_FAILURE_AT(file_, line_) << message_
#include <openclaw/openclaw.h>

#include <vector>

extern "C" {
#include "vadd.h"
}

class Vadd : public testing::Test {
protected:
	void SetUp() override { ASSERT_EQ(vadd_open(&vadd), VADD_OK); }
	void TearDown() override { vadd_close(vadd); }

	vadd_status run()
	{
		return vadd_run(vadd, a.data(), b.data(), sum.data(),
				sum.size());
	}

	struct vadd *vadd = nullptr;
	std::vector<float> a = std::vector<float>(1000, 1);
	std::vector<float> b = std::vector<float>(1000, 2);
	std::vector<float> sum = std::vector<float>(1000, -1);
};

TEST_F(Vadd, AddsTwoVectors)
{
	EXPECT_EQ(run(), VADD_OK);
	EXPECT_EQ(sum, std::vector<float>(1000, 3));
}

TEST_F(Vadd, WorksInHalvesWhenMemoryIsShort)
{
	CLAW_FAULT("clCreateBuffer:oom:when=1")
		EXPECT_EQ(run(), VADD_OK);
	EXPECT_EQ(vadd_piece(vadd), 500u);
	EXPECT_EQ(sum, std::vector<float>(1000, 3));
}

TEST_F(Vadd, ReportsThatThereIsNoMemory)
{
	CLAW_FAULT("clCreateBuffer:oom")
		EXPECT_EQ(run(), VADD_NO_MEMORY);
	EXPECT_EQ(run(), VADD_OK);
}

TEST_F(Vadd, ReportsAFailedLaunch)
{
	CLAW_FAULT("clEnqueueNDRangeKernel:error=CL_INVALID_WORK_GROUP_SIZE")
		EXPECT_EQ(run(), VADD_DEVICE_FAILED);
}
