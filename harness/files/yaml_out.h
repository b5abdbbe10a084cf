/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a YAML file: lists, mappings and texts, quoted where YAML needs it.
 */
#ifndef CLAW_YAML_OUT_H
#define CLAW_YAML_OUT_H

#include <stdbool.h>
#include <stdio.h>
#include <yaml.h>

struct claw_yaml_out {
	yaml_emitter_t emitter;
	bool failed;		/* what comes after is not written */
};

/* The document begins behind what the stream has already: comments. */
void claw_yaml_out_begin(struct claw_yaml_out *out, FILE *stream);
/* 0 or -CLAW_E_IO. The stream stays open. */
int claw_yaml_out_end(struct claw_yaml_out *out);

/* A key or a value; bytes that YAML cannot hold are made printable. */
void claw_yaml_out_text(struct claw_yaml_out *out, const char *text);
void claw_yaml_out_list(struct claw_yaml_out *out);
void claw_yaml_out_list_end(struct claw_yaml_out *out);
void claw_yaml_out_mapping(struct claw_yaml_out *out);
void claw_yaml_out_mapping_end(struct claw_yaml_out *out);

/* A key with its text. */
void claw_yaml_out_pair(struct claw_yaml_out *out, const char *key,
			const char *text);

#endif
