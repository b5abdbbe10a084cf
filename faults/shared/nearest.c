/* SPDX-License-Identifier: Apache-2.0 */
/* Edit distance with transpositions, case ignored, for "did you mean". */
#include "config.h"

#include "nearest.h"

#include <ctype.h>
#include <string.h>

enum { WORD_MAX = 63 };

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours. */
static unsigned int count_edits(const char *a, const char *b)
{
	unsigned int rows[3][WORD_MAX + 1];
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);

	if (a_length > WORD_MAX || b_length > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned int *row = rows[i % 3];
		const unsigned int *above = rows[(i - 1) % 3];
		const unsigned int *before = rows[(i + 1) % 3];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_length; j++) {
			int x = tolower((unsigned char)a[i - 1]);
			int y = tolower((unsigned char)b[j - 1]);

			row[j] = min(min(above[j], row[j - 1]) + 1,
				     above[j - 1] + (x != y));
			if (i > 1 && j > 1 && x != y &&
			    x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]))
				row[j] = min(row[j], before[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void claw_nearest_init(struct claw_nearest *nearest, const char *word)
{
	nearest->word = word;
	nearest->best = NULL;
	nearest->edits = (unsigned int)strlen(word) / 3 + 2;
}

void claw_nearest_offer(struct claw_nearest *nearest, const char *known)
{
	unsigned int edits = count_edits(nearest->word, known);

	if (edits < nearest->edits) {
		nearest->edits = edits;
		nearest->best = known;
	}
}
