/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clw.hpp: clw.h for C++14 and later: handles that release themselves, errors
 * as exceptions. What the functions do is said in clw.h.
 *
 *	clw::context ctx;
 *	clw::buffer in(ctx, size, CL_MEM_READ_ONLY), out(ctx, size, CL_MEM_WRITE_ONLY);
 *	ctx.enqueue_write(in, data);
 *	ctx.enqueue_kernel("compute", in, out);
 *	ctx.finish();			(throws what the kernel failed with)
 *
 * Objects move and do not copy. One that was moved from may be destroyed or
 * assigned to; anything else throws clw-invalid-handle. -DCLW_DEBUG_MEMORY=1
 * prints what CLW_LOG_LEVEL=DEBUG does.
 */
#ifndef OPENCLAW_CLW_HPP
#define OPENCLAW_CLW_HPP

#include <openclaw/clw.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__GNUC__) || defined(__clang__)
#define CLW_NOINLINE_	__attribute__((noinline))
#else
#define CLW_NOINLINE_
#endif

namespace clw {

#if defined(CLW_DEBUG_MEMORY) && CLW_DEBUG_MEMORY
namespace {
const struct memory_debugger {
	memory_debugger() { clwSetDebugMemory(1); }
} memory_debugger_;
}
#endif

/* Where a function was called: the default argument is the caller's line. */
struct place {
	const char *file, *function;
	int line;

	static place here(const char *file_ = __builtin_FILE(),
			  const char *function_ = __builtin_FUNCTION(),
			  int line_ = __builtin_LINE()) noexcept
	{
		return place{ file_, function_, line_ };
	}
};

/* What a call failed with. what() is clwLastReport(): code, what and where,
 * what OpenCL returned, and the place of the call. */
class error : public std::runtime_error {
public:
	error(int status, cl_int cl_code, const std::string &message,
	      const std::string &report) :
		std::runtime_error(report), status_(status), cl_code_(cl_code),
		message_(message)
	{
	}

	/* The last one of this thread. */
	static error last()
	{
		return error(clwLastStatus(), clwLastClCode(), clwLastError(),
			     clwLastReport());
	}

	int status() const noexcept { return status_; }	/* enum clw_status */
	const char *code() const noexcept { return clwStatusCode(status_); }
	cl_int cl_code() const noexcept { return cl_code_; }
	/* The first line of what(). */
	const std::string &message() const noexcept { return message_; }

private:
	int status_;
	cl_int cl_code_;
	std::string message_;
};

namespace detail {

inline void check(int status)
{
	if (status != CLW_OK)
		throw error::last();
}

inline void at(const place &where, const char *api)
{
	clwAt(where.file, where.line, where.function, api);
}

}

namespace detail {

/* Of 1 to 3 dimensions. */
class extent {
public:
	explicit extent(std::size_t x) : values_{{ x, 1, 1 }}, count_(1) {}
	extent(std::size_t x, std::size_t y) : values_{{ x, y, 1 }}, count_(2)
	{
	}
	extent(std::size_t x, std::size_t y, std::size_t z) :
		values_{{ x, y, z }}, count_(3)
	{
	}

	unsigned int dimensions() const noexcept { return count_; }
	const std::size_t *data() const noexcept { return values_.data(); }

private:
	std::array<std::size_t, 3> values_;
	unsigned int count_;
};

}

/* Sizes of a launch. */
class global_size : public detail::extent {
public:
	using extent::extent;
};

class local_size : public detail::extent {
public:
	using extent::extent;
};

/* Of a transfer: do not wait. The memory must live, and be left alone, until
 * the next call that waits. */
struct async_t {};
constexpr async_t async{};

/* An argument of so many bytes of local memory. */
struct local_memory {
	explicit local_memory(std::size_t bytes_) : bytes(bytes_) {}

	std::size_t bytes;
};

/* A kernel's name, and where it was said. */
struct kernel_name {
	kernel_name(const char *name_, place where_ = place::here()) :
		name(name_ ? name_ : ""), where(where_)
	{
	}
	kernel_name(const std::string &name_, place where_ = place::here()) :
		name(name_), where(where_)
	{
	}

	std::string name;
	place where;
};

class context;

namespace detail {

struct clw_context *handle_of(const context &of);

}

class buffer {
public:
	/* CL_MEM_COPY_HOST_PTR without a pointer is dropped. */
	buffer(context &of, std::size_t size,
	       cl_mem_flags flags = CL_MEM_READ_WRITE,
	       place where = place::here())
	{
		create(of, size, flags, where, "clw::buffer::buffer("
		       "context &, size_t size, cl_mem_flags flags)");
	}
	/* With CL_MEM_USE_HOST_PTR, which excludes CL_MEM_ALLOC_HOST_PTR, or
	 * CL_MEM_COPY_HOST_PTR. */
	buffer(context &of, void *host, std::size_t size, cl_mem_flags flags,
	       place where = place::here())
	{
		detail::at(where, "clw::buffer::buffer(context &, void *host, "
			   "size_t size, cl_mem_flags flags)");
		detail::check(clwCreateBufferWith(detail::handle_of(of), host, size,
						  flags, &handle_));
	}
	/* As much as there is, from least to size bytes. */
	static buffer or_smaller(context &of, std::size_t size,
				 std::size_t least,
				 cl_mem_flags flags = CL_MEM_READ_WRITE,
				 place where = place::here())
	{
		buffer made;

		detail::at(where, "clw::buffer::or_smaller(context &, "
			   "size_t size, size_t least, cl_mem_flags flags)");
		detail::check(clwCreateBufferOrSmaller(detail::handle_of(of), size, least,
						       flags, &made.handle_));
		return made;
	}
	~buffer()
	{
		if (owns_)
			clwReleaseBuffer(handle_);
	}

	buffer(buffer &&other) noexcept : handle_(other.handle_),
					  owns_(other.owns_)
	{
		other.handle_ = nullptr;
	}
	buffer &operator=(buffer &&other) noexcept
	{
		std::swap(handle_, other.handle_);
		std::swap(owns_, other.owns_);
		return *this;
	}
	buffer(const buffer &) = delete;
	buffer &operator=(const buffer &) = delete;

	std::size_t size() const noexcept { return clwBufferSize(handle_); }
	std::uint64_t address() const noexcept
	{
		return clwBufferAddress(handle_);
	}
	struct clw_buffer *handle() const noexcept { return handle_; }

private:
	friend class context;
	friend class chunks;

	buffer() noexcept = default;
	explicit buffer(struct clw_buffer *lent) noexcept :
		handle_(lent), owns_(false)
	{
	}

	void create(context &of, std::size_t size, cl_mem_flags flags,
		    const place &where, const char *api)
	{
		detail::at(where, api);
		detail::check(clwCreateBuffer(detail::handle_of(of), size, flags,
					      &handle_));
	}

	struct clw_buffer *handle_ = nullptr;
	bool owns_ = true;
};

class context {
public:
	/* The device of CLW_DEVICE_ID, else 0. */
	context(place where = place::here()) { open(CLW_DEFAULT_DEVICE, where); }
	explicit context(int device, place where = place::here())
	{
		open(device, where);
	}
	~context() { clwReleaseContext(handle_); }

	context(context &&other) noexcept : handle_(other.handle_)
	{
		other.handle_ = nullptr;
	}
	context &operator=(context &&other) noexcept
	{
		std::swap(handle_, other.handle_);
		return *this;
	}
	context(const context &) = delete;
	context &operator=(const context &) = delete;

	/* 0: wait for the driver, however long it takes. */
	void set_memory_timeout(double seconds)
	{
		detail::check(clwSetMemoryTimeout(handle_, seconds));
	}
	void set_build_timeout(double seconds)
	{
		detail::check(clwSetBuildTimeout(handle_, seconds));
	}
	void set_kernel_timeout(double seconds)
	{
		detail::check(clwSetKernelTimeout(handle_, seconds));
	}

	CLW_NOINLINE_ buffer create_buffer(std::size_t size, cl_mem_flags flags,
					   place where = place::here())
	{
		buffer made;

		made.create(*this, size, flags, where,
			    "clw::context::create_buffer(size_t size, "
			    "cl_mem_flags flags)");
		return made;
	}

	/*
	 * A kernel by its name, with global_size and local_size, if any, and
	 * all of its arguments in their order: buffers, numbers,
	 * local_memory. Without global_size there are as many work-items as
	 * the first buffer has elements. It is not waited for.
	 */
	template <class... arguments>
	void enqueue_kernel(const kernel_name &name, arguments &&...args);

	/* Of the whole buffer, and of a part. They wait. */
	void enqueue_write(buffer &to, const void *from,
			   place where = place::here());
	void enqueue_write(buffer &to, const void *from, std::size_t offset,
			   std::size_t size, place where = place::here());
	void enqueue_write(buffer &to, const void *from, async_t,
			   place where = place::here());
	void enqueue_read(const buffer &from, void *to,
			  place where = place::here());
	void enqueue_read(const buffer &from, void *to, async_t,
			  place where = place::here());
	void enqueue_read(const buffer &from, void *to, std::size_t offset,
			  std::size_t size, place where = place::here());

	/* Wait for all; throws what a command failed with meanwhile. */
	void finish(place where = place::here())
	{
		detail::at(where, "clw::context::finish()");
		detail::check(clwFinish(handle_));
	}

	bool is_lost() const
	{
		return clwContextState(handle_) == CLW_DEVICE_LOST;
	}
	int device() const noexcept { return clwContextDevice(handle_); }
	struct clw_memory memory() const
	{
		struct clw_memory memory = {};

		memory.struct_size = sizeof(memory);
		detail::check(clwContextMemory(handle_, &memory));
		return memory;
	}
	struct clw_context *handle() const noexcept { return handle_; }

private:
	void open(int device, const place &where)
	{
		detail::at(where, device == CLW_DEFAULT_DEVICE ?
			   "clw::context::context()" :
			   "clw::context::context(int device)");
		detail::check(clwCreateContext(device, &handle_));
	}

	struct clw_context *handle_ = nullptr;
};

inline struct clw_context *detail::handle_of(const context &of)
{
	return of.handle();
}

namespace detail {

inline void write(buffer &to, const void *from, std::size_t offset,
		  std::size_t size, unsigned int flags, const place &where)
{
	at(where, "clw::context::enqueue_write(buffer &, const void *)");
	check(clwEnqueueWrite(to.handle(), offset, size, from, flags));
}

inline void read(const buffer &from, void *to, std::size_t offset,
		 std::size_t size, unsigned int flags, const place &where)
{
	at(where, "clw::context::enqueue_read(buffer &, void *)");
	check(clwEnqueueRead(from.handle(), offset, size, to, flags));
}

}

inline void context::enqueue_write(buffer &to, const void *from, place where)
{
	detail::write(to, from, 0, to.size(), 0, where);
}

inline void context::enqueue_write(buffer &to, const void *from,
				   std::size_t offset, std::size_t size,
				   place where)
{
	detail::write(to, from, offset, size, 0, where);
}

inline void context::enqueue_write(buffer &to, const void *from, async_t,
				   place where)
{
	detail::write(to, from, 0, to.size(), CLW_ASYNC, where);
}

inline void context::enqueue_read(const buffer &from, void *to, place where)
{
	detail::read(from, to, 0, from.size(), 0, where);
}

inline void context::enqueue_read(const buffer &from, void *to,
				  std::size_t offset, std::size_t size,
				  place where)
{
	detail::read(from, to, offset, size, 0, where);
}

inline void context::enqueue_read(const buffer &from, void *to, async_t,
				  place where)
{
	detail::read(from, to, 0, from.size(), CLW_ASYNC, where);
}

/* Much memory in pieces. What [] gives must not outlive it. */
class chunks {
public:
	/* chunk: 0: a size that suits the device. */
	chunks(context &of, std::size_t total, std::size_t chunk = 0,
	       cl_mem_flags flags = CL_MEM_READ_WRITE,
	       place where = place::here())
	{
		detail::at(where, "clw::chunks::chunks(context &, "
			   "size_t total, size_t chunk, cl_mem_flags flags)");
		detail::check(clwCreateChunks(of.handle(), total, chunk, flags,
					      &handle_));
	}
	~chunks() { clwReleaseChunks(handle_); }

	chunks(chunks &&other) noexcept : handle_(other.handle_)
	{
		other.handle_ = nullptr;
	}
	chunks &operator=(chunks &&other) noexcept
	{
		std::swap(handle_, other.handle_);
		return *this;
	}
	chunks(const chunks &) = delete;
	chunks &operator=(const chunks &) = delete;

	std::size_t size() const noexcept { return clwChunkCount(handle_); }
	std::size_t offset(std::size_t index) const noexcept
	{
		return clwChunkOffset(handle_, index);
	}
	buffer operator[](std::size_t index) const noexcept
	{
		return buffer(clwChunk(handle_, index));
	}

private:
	struct clw_chunks *handle_ = nullptr;
};

namespace detail {

/* What enqueue_kernel() was given. */
struct launch {
	unsigned int dimensions = 0;
	const std::size_t *global = nullptr, *local = nullptr;
	std::vector<struct clw_arg> args;

	void take(const global_size &value)
	{
		dimensions = value.dimensions();
		global = value.data();
	}
	void take(const local_size &value) { local = value.data(); }
	void take(const buffer &value)
	{
		args.push_back(clwArgBuffer(value.handle()));
	}
	void take(const local_memory &value)
	{
		args.push_back(clwArgLocal(value.bytes));
	}
	template <class number>
	typename std::enable_if<std::is_trivially_copyable<number>::value &&
				!std::is_pointer<number>::value>::type
	take(const number &value)
	{
		args.push_back(clwArgValue(sizeof(value), &value));
	}
};

}

template <class... arguments>
inline void context::enqueue_kernel(const kernel_name &name,
				    arguments &&...args)
{
	detail::launch launch;

	launch.args.reserve(sizeof...(args));
	(void)std::initializer_list<int>{ (launch.take(args), 0)... };
	detail::at(name.where, "clw::context::enqueue_kernel(const char *, "
		   "...)");
	detail::check(clwEnqueueKernel(handle_, name.name.c_str(),
				       launch.dimensions, launch.global,
				       launch.local,
				       (unsigned int)launch.args.size(),
				       launch.args.data()));
}

/* A kernel whose arguments stay set. */
class kernel {
public:
	kernel(context &of, const kernel_name &name)
	{
		detail::at(name.where, "clw::kernel::kernel(context &, "
			   "const char *)");
		detail::check(clwCreateKernel(of.handle(), name.name.c_str(),
					      &handle_));
	}
	/* Of a text. */
	kernel(context &of, const std::string &source, const std::string &name,
	       const std::string &options = "", place where = place::here())
	{
		detail::at(where, "clw::kernel::kernel(context &, source, "
			   "name, options)");
		detail::check(clwCreateKernelFromSource(of.handle(),
			source.c_str(), options.c_str(), name.c_str(),
			&handle_));
	}
	~kernel() { clwReleaseKernel(handle_); }

	kernel(kernel &&other) noexcept : handle_(other.handle_)
	{
		other.handle_ = nullptr;
	}
	kernel &operator=(kernel &&other) noexcept
	{
		std::swap(handle_, other.handle_);
		return *this;
	}
	kernel(const kernel &) = delete;
	kernel &operator=(const kernel &) = delete;

	void set_arg(unsigned int index, const buffer &value,
		     place where = place::here())
	{
		detail::at(where, "clw::kernel::set_arg(unsigned, buffer &)");
		detail::check(clwSetArgBuffer(handle_, index, value.handle()));
	}
	template <class number>
	typename std::enable_if<std::is_trivially_copyable<number>::value &&
				!std::is_pointer<number>::value>::type
	set_arg(unsigned int index, const number &value,
		place where = place::here())
	{
		detail::at(where, "clw::kernel::set_arg(unsigned, value)");
		detail::check(clwSetArg(handle_, index, sizeof(value), &value));
	}
	void set_local_arg(unsigned int index, std::size_t bytes,
			   place where = place::here())
	{
		detail::at(where, "clw::kernel::set_local_arg(unsigned, "
			   "size_t)");
		detail::check(clwSetArgLocal(handle_, index, bytes));
	}

	/* It is not waited for. */
	void launch(const global_size &global, place where = place::here())
	{
		launch_sizes(global, nullptr, where);
	}
	void launch(const global_size &global, const local_size &local,
		    place where = place::here())
	{
		launch_sizes(global, local.data(), where);
	}

	const char *name() const noexcept { return clwKernelName(handle_); }
	struct clw_kernel *handle() const noexcept { return handle_; }

private:
	void launch_sizes(const global_size &global, const std::size_t *local,
			  const place &where)
	{
		detail::at(where, "clw::kernel::launch(global_size, "
			   "local_size)");
		detail::check(clwLaunch(handle_, global.dimensions(),
					global.data(), local));
	}

	struct clw_kernel *handle_ = nullptr;
};

/* One thread at a time with a buffer. Its end waits for what was launched
 * meanwhile, and throws what that failed with, unless an exception is under way. */
class lock {
public:
	explicit lock(const buffer &of) : buffer_(of.handle()),
					  exceptions_(count())
	{
		detail::check(clwLockBuffer(buffer_));
	}
	~lock() noexcept(false)
	{
		if (clwUnlockBuffer(buffer_) != CLW_OK &&
		    count() == exceptions_)
			throw error::last();
	}

	lock(const lock &) = delete;
	lock &operator=(const lock &) = delete;

private:
	static int count() noexcept
	{
#if __cplusplus >= 201703L
		return std::uncaught_exceptions();
#else
		return std::uncaught_exception();
#endif
	}

	struct clw_buffer *buffer_;
	int exceptions_;
};

/* What a workload came to. */
class result {
public:
	explicit result(struct clw_result *own) noexcept : own_(own) {}
	~result() { clwReleaseResult(own_); }

	result(result &&other) noexcept : own_(other.own_)
	{
		other.own_ = nullptr;
	}
	result &operator=(result &&other) noexcept
	{
		std::swap(own_, other.own_);
		return *this;
	}
	result(const result &) = delete;
	result &operator=(const result &) = delete;

	bool success() const noexcept { return own_->status == CLW_OK; }
	const char *code() const noexcept { return own_->code; }
	const char *message() const noexcept { return own_->message; }
	unsigned int attempts() const noexcept { return own_->attempts; }
	std::uint64_t peak_bytes() const noexcept { return own_->peak_bytes; }
	std::size_t output_count() const noexcept { return own_->output_count; }
	const struct clw_output &output(std::size_t index) const
	{
		if (index >= own_->output_count)
			throw std::out_of_range("clw::result::output");
		return own_->outputs[index];
	}
	/* The bytes of an output as elements of a type. */
	template <class element>
	std::vector<element> values(std::size_t index) const
	{
		const struct clw_output &from = output(index);
		std::vector<element> to(from.size / sizeof(element));

		if (!to.empty())
			std::memcpy(to.data(), from.data,
				    to.size() * sizeof(element));
		return to;
	}

private:
	struct clw_result *own_;
};

/* A kernel that runs in a process of its own. */
class workload {
public:
	explicit workload(const std::string &name)
	{
		detail::check(clwCreateWorkload(name.c_str(), &handle_));
	}
	~workload() { clwReleaseWorkload(handle_); }

	workload(workload &&other) noexcept : handle_(other.handle_)
	{
		other.handle_ = nullptr;
	}
	workload &operator=(workload &&other) noexcept
	{
		std::swap(handle_, other.handle_);
		return *this;
	}
	workload(const workload &) = delete;
	workload &operator=(const workload &) = delete;

	/* "enable_crash_recovery", "max_retry_attempts", "gpu_timeout_ms", "seed",
	 * "device" */
	workload &config(const char *key, std::int64_t value)
	{
		detail::check(clwConfigureWorkload(handle_, key, value));
		return *this;
	}
	/* Arguments, in place of the file's. The data is copied. */
	workload &input(unsigned int index, const void *data, std::size_t bytes)
	{
		detail::check(clwSetWorkloadBuffer(handle_, index, bytes, data,
						   0));
		return *this;
	}
	/* data: what is there before the launch; nullptr: zeros. */
	workload &output(unsigned int index, std::size_t bytes,
			 const void *data = nullptr)
	{
		detail::check(clwSetWorkloadBuffer(handle_, index, bytes, data,
						   1));
		return *this;
	}
	template <class number>
	workload &value(unsigned int index, const number &of)
	{
		static_assert(std::is_trivially_copyable<number>::value,
			      "a value is copied as its bytes");
		detail::check(clwSetWorkloadValue(handle_, index, sizeof(of),
						  &of));
		return *this;
	}
	workload &local(unsigned int index, local_memory of)
	{
		detail::check(clwSetWorkloadLocal(handle_, index, of.bytes));
		return *this;
	}
	workload &size(const global_size &global)
	{
		detail::check(clwSetWorkloadSize(handle_, global.dimensions(),
						 global.data(), nullptr));
		return *this;
	}
	workload &size(const global_size &global, const local_size &local_)
	{
		detail::check(clwSetWorkloadSize(handle_, global.dimensions(),
						 global.data(),
						 local_.data()));
		return *this;
	}
	/* A crash is no exception, but a result without success. */
	result execute(place where = place::here())
	{
		struct clw_result *own = nullptr;

		detail::at(where, "clw::workload::execute()");
		const int status = clwExecuteWorkload(handle_, &own);

		if (!own)
			throw status == CLW_OK ? error(status, 0, "", "") :
						 error::last();
		return result(own);
	}
	int device() const noexcept { return clwWorkloadDevice(handle_); }
	struct clw_workload *handle() const noexcept { return handle_; }

private:
	struct clw_workload *handle_ = nullptr;
};

inline void probe_device(int device, unsigned int timeout_ms = 0)
{
	detail::check(clwProbeDevice(device, timeout_ms));
}
inline void reset_device(int device)
{
	detail::check(clwResetDevice(device));
}
inline void wait_for_recovery(int device, unsigned int timeout_ms = 5000)
{
	detail::check(clwWaitForRecovery(device, timeout_ms));
}

}

#endif
