/* analyze.c - calls the stages in their order. Each fills a part of the experiment from those before it. */
#include "import/analyze.h"

#include "causes/critical_path.h"
#include "causes/delay.h"
#include "causes/ideal_network.h"
#include "classify/classify.h"
#include "match/match.h"

void analyze(struct experiment *x)
{
	match_waits(x);
	ideal_network(x);
	critical_path(x);
	delay_costs(x);
	classify(x);
	delay_costs_told(x);
	delay_costs_of_threads(x);
	delay_costs_somewhere(x);
	delay_costs_pass_on(x);
}
