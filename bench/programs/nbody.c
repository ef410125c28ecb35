/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * SIZE bodies that attract each other, STEPS steps of leapfrog in one parallel region: the forces of all
 * pairs, then the motion, with the loops' barriers between.
 *
 * The check: the sum of the momenta stays zero, and the energy moves by less than a thousandth, though the
 * bodies, at rest at first, fall towards each other.
 */
#include "program.h"

#include <math.h>

enum { STEPS = 60 };
static const double STEP = 1e-3, SOFT = 0.05;

struct vector {
    double x, y, z;
};

static int bodies;
static struct vector *place, *speed, *force;

static void forces(void)
{
    double mass = 1.0 / bodies;
#pragma omp for schedule(static)
    for (int i = 0; i < bodies; i++) {
        struct vector sum = {0, 0, 0};
        for (int j = 0; j < bodies; j++) {
            double x = place[j].x - place[i].x, y = place[j].y - place[i].y, z = place[j].z - place[i].z;
            double square = x * x + y * y + z * z + SOFT * SOFT;
            double pull = mass / (square * sqrt(square));
            sum.x += pull * x;
            sum.y += pull * y;
            sum.z += pull * z;
        }
        force[i] = sum;
    }
}

static void kick(double by)
{
#pragma omp for schedule(static)
    for (int i = 0; i < bodies; i++) {
        speed[i].x += by * force[i].x;
        speed[i].y += by * force[i].y;
        speed[i].z += by * force[i].z;
    }
}

static void drift(double by)
{
#pragma omp for schedule(static)
    for (int i = 0; i < bodies; i++) {
        place[i].x += by * speed[i].x;
        place[i].y += by * speed[i].y;
        place[i].z += by * speed[i].z;
    }
}

static double energy(void)
{
    double sum = 0, mass = 1.0 / bodies;
    for (int i = 0; i < bodies; i++) {
        struct vector v = speed[i];
        sum += 0.5 * mass * (v.x * v.x + v.y * v.y + v.z * v.z);
        for (int j = 0; j < i; j++) {
            double x = place[j].x - place[i].x, y = place[j].y - place[i].y, z = place[j].z - place[i].z;
            sum -= mass * mass / sqrt(x * x + y * y + z * z + SOFT * SOFT);
        }
    }
    return sum;
}

static double momentum(void)
{
    struct vector sum = {0, 0, 0};
    for (int i = 0; i < bodies; i++) {
        sum.x += speed[i].x / bodies;
        sum.y += speed[i].y / bodies;
        sum.z += speed[i].z / bodies;
    }
    return fabs(sum.x) + fabs(sum.y) + fabs(sum.z);
}

static double random_part(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return (double)(*state >> 8) / (1 << 24) - 0.5;
}

static double nbody(int n)
{
    unsigned state = 7;
    bodies = n;
    place = need(3 * (size_t)n * sizeof *place);
    speed = place + n;
    force = speed + n;
    for (int i = 0; i < n; i++) {
        place[i] = (struct vector){random_part(&state), random_part(&state), random_part(&state)};
        speed[i] = (struct vector){0, 0, 0};
    }
    double before = energy();

    double start = seconds_now();
#pragma omp parallel
    {
        forces();
        for (int s = 0; s < STEPS; s++) {
            kick(STEP / 2);
            drift(STEP);
            forces();
            kick(STEP / 2);
        }
    }
    double took = seconds_now() - start;

    int wrong = !(momentum() < 1e-12) || !(fabs(energy() / before - 1) < 1e-3);
    double fallen = 0;
    for (int i = 0; i < n; i++)
        fallen = fmax(fallen, fabs(speed[i].x));
    free(place);
    return wrong || fallen == 0 ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 2200, 1, 16, nbody);
}
