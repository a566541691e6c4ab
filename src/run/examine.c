/* SPDX-License-Identifier: MIT */
#include "run/examine.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "cli/doctor.h"

struct examined {
	struct doctor doctor;
	struct machine_check *visible; /* [doctor.count] checks.all */
	struct machine_checks checks;
};

static void look(struct app *app, struct examined *examined)
{
	struct doctor_place place = {
		.access = app->access,
		.catalog = &app->catalog,
		.features = &app->features,
		.caller = app->rights.remote != NULL ? &app->rights.caller : NULL,
		.caps = app->rights.caps,
		.closer = app->closer,
	};

	doctor_examine(&examined->doctor, &place);
}

static void show(struct examined *examined)
{
	const struct doctor *doctor = &examined->doctor;

	examined->visible = xcalloc(doctor->count, sizeof(*examined->visible));
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_check *check = &doctor->checks[i];

		examined->visible[i] = (struct machine_check){ check->name, check->is_ok,
							       check->what, check->fix };
	}
	examined->checks = (struct machine_checks){ examined->visible, doctor->count };
}

const struct machine_checks *examine(struct app *app)
{
	struct examined *examined = app->examined;

	if (examined == NULL)
		examined = app->examined = xcalloc(1, sizeof(*examined));
	free(examined->visible);
	doctor_fini(&examined->doctor);
	look(app, examined);
	show(examined);
	return &examined->checks;
}

void examine_free(struct app *app)
{
	struct examined *examined = app->examined;

	if (examined == NULL)
		return;
	free(examined->visible);
	doctor_fini(&examined->doctor);
	free(examined);
	app->examined = NULL;
}
