/* SPDX-License-Identifier: BSD-3-Clause */
/* portions_svg.c - draws stacked bars, as in Figure 3 of Waller and Hasselbring (2012). Owns
 * nothing; one thread. One unit of the picture is a pixel. The widest bar is as wide as the room
 * beside the names. A median below zero is noise, and is not drawn. */
#include "answers/calibrate/portions_svg.h"

#include <math.h>
#include <stdlib.h>

enum { LEFT = 90, WIDTH = 620, RIGHT = 90, TOP = 70, BAR = 24, STEP = 36, BOTTOM = 60 };

static const struct { enum portion_kind kind; const char *color, *what; } parts[] = {
	{ PORTION_I, "#7f7f7f", "I: probe that is off" },
	{ PORTION_C_INSIDE, "#1f77b4", "C: profile, in the region" },
	{ PORTION_C_OUTSIDE, "#9ecae1", "C: profile, around it" },
	{ PORTION_C_TRACE, "#ff9f40", "C: event of a trace" },
	{ PORTION_W, "#d62728", "W: writing it" },
};
enum { PARTS = sizeof parts / sizeof *parts };

static void put_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '<' || c == '>' || c == '&' || c < ' ' || c >= 0x7f)
			fprintf(out, c < ' ' || c >= 0x7f ? "?" : "&#%d;", c);
		else
			fputc(c, out);
	}
}

static double width_of(const portion_list *list, const char *setting, size_t part)
{
	const struct portion *p = portion_of(list, setting, "region", 1, parts[part].kind);
	return p && p->ns.median > 0 ? p->ns.median : 0;
}

static double bar_width(const portion_list *list, const char *setting)
{
	double sum = 0;
	for (size_t i = 0; i < PARTS; i++)
		sum += width_of(list, setting, i);
	return sum;
}

static void draw_axis(double widest, double scale, double height, FILE *out)
{
	/* A step is 1, 2 or 5 times a power of ten, so that about five steps fit. */
	double power = pow(10, floor(log10(widest / 5))), times = widest / 5 / power;
	double step = power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
	for (int i = 0; i * step <= widest; i++) {
		double x = LEFT + i * step * scale;
		fprintf(out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" "
			"stroke=\"#ddd\"/>\n", x, TOP - 6, x, height - BOTTOM + 4);
		fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n", x,
			height - BOTTOM + 20, i * step);
	}
	fprintf(out, "<text x=\"%d\" y=\"%.1f\">ns for each call of a region</text>\n", LEFT,
		height - BOTTOM + 40);
}

static void draw_bar(const portion_list *list, const char *setting, double y, double scale,
		     FILE *out)
{
	double x = LEFT;
	fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 8, y + BAR * 0.7);
	put_text(setting, out);
	fputs("</text>\n", out);
	for (size_t i = 0; i < PARTS; i++) {
		double ns = width_of(list, setting, i);
		fprintf(out, "<rect class=\"portion\" x=\"%.3f\" y=\"%.1f\" width=\"%.3f\" "
			"height=\"%d\" fill=\"%s\"><title>%s: %.1f ns</title></rect>\n", x, y,
			ns * scale, BAR, parts[i].color, parts[i].what, ns);
		x += ns * scale;
	}
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%.1f</text>\n", x + 6, y + BAR * 0.7,
		bar_width(list, setting));
}

void portions_svg(const struct calibration *c, const portion_list *list, FILE *out)
{
	static const int legend_x[PARTS] = { 0, 170, 370, 0, 170 };
	static const int legend_y[PARTS] = { 0, 0, 0, 1, 1 };
	double widest = 0, y = TOP, height;
	size_t bars = 0;
	for (size_t i = 0; i < c->setting.n; i++) {
		widest = fmax(widest, bar_width(list, c->setting.at[i].name));
		bars += c->setting.at[i].cpus != NULL;
	}
	widest = widest > 0 && isfinite(widest) ? widest : 1;
	height = TOP + (double)bars * STEP + BOTTOM;
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n<title>", LEFT + WIDTH + RIGHT,
		height);
	put_text(c->processor, out);
	fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n", out);
	fprintf(out, "<text x=\"%d\" y=\"16\" font-size=\"14\">", LEFT);
	put_text(c->processor, out);
	fputs("</text>\n", out);
	for (size_t i = 0; i < PARTS; i++)
		fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>"
			"<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT + legend_x[i],
			26 + 18 * legend_y[i], parts[i].color, LEFT + legend_x[i] + 18,
			37 + 18 * legend_y[i], parts[i].what);
	draw_axis(widest, WIDTH / widest, height, out);
	for (size_t i = 0; i < c->setting.n; i++) {
		if (!c->setting.at[i].cpus)
			continue;
		draw_bar(list, c->setting.at[i].name, y, WIDTH / widest, out);
		y += STEP;
	}
	fputs("</svg>\n", out);
}
