/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of openclaw.yaml, as claw_yaml_walk() takes them into a struct
 * claw_user_config.
 */
#ifndef CLAW_USER_CONFIG_KEYS_H
#define CLAW_USER_CONFIG_KEYS_H

#include "harness/files/yaml_doc.h"

/* The sections "logging", "memory", "report" and "workload". */
claw_yaml_take claw_config_take_logging;
claw_yaml_take claw_config_take_memory;
claw_yaml_take claw_config_take_report;
claw_yaml_take claw_config_take_workload;

/* The key "history". */
claw_yaml_take claw_config_take_history;

/* The keys of "workload", which may stand outside of it, too. */
claw_yaml_take claw_config_take_recovery;
claw_yaml_take claw_config_take_retries;
claw_yaml_take claw_config_take_gpu_timeout;

#endif
