// A game at the table as values: what was tapped leads from one state to the next, and nothing here
// knows the page. A game is kept as its acts; undoing one is leaving it out.

// How many acts can be undone at least, and how many are kept.
const UNDONE = 1000;
const KEPT = 1500;

const copy = (state) => structuredClone(state);
const clamp = (number, most) => Math.max(0, Math.min(number, most));
const onceOf = (game) => game.phases.filter((phase) => phase.once).length;

// Where a game begins: with what comes once, else in its first round.
export function start(sides) {
  const { game } = sides[0];
  return {
    round: onceOf(game) ? 0 : 1,
    turn: 0,
    phase: 0,
    over: false,
    points: [0, 0],
    goal: null,
    sides: sides.map(({ rows }) => ({
      begun: rows.reduce((sum, row) => sum + row.models, 0),
      rows: rows.map(() => ({ lost: 0, ticks: [], used: {}, done: false })),
    })),
  };
}

const mostLost = (row) => row.health + (row.over ? 1 : 0);

// The states that a row is in, as places in its game's; one that is out is in no other.
export function statesOf(side, row, kept) {
  const left = row.health - kept.lost;
  const on = row.at.filter(([, at]) => row.health && left <= at).map(([place]) => place);
  const all = [...new Set([...on, ...kept.ticks])];
  const out = all.filter((place) => side.game.states[place].out);
  return out.length ? out : all;
}

const has = (side, row, kept, what) =>
  statesOf(side, row, kept).some((place) => side.game.states[place][what]);

// What a row shows: health and models left, states, and whether it is gone.
export function rowView(side, row, kept) {
  const left = Math.max(0, row.health - kept.lost);
  const out = has(side, row, kept, "out");
  let models = row.per ? Math.min(row.models, Math.ceil(left / row.per)) : row.models;
  if (out) models = 0;
  return {
    left,
    models,
    out,
    away: has(side, row, kept, "away"),
    casualty: has(side, row, kept, "casualty"),
    states: statesOf(side, row, kept),
  };
}

const viewsOf = (side, kept) => side.rows.map((row, at) => rowView(side, row, kept.rows[at]));

const share = ([over, under], number, down) =>
  down ? Math.floor((number * over) / under) : Math.ceil((number * over) / under);

// How many models are lost of how many, at how many something happens, and whether it does.
function breaksOf(side, views) {
  let models = 0;
  let lost = 0;
  for (const [at, view] of views.entries()) {
    if (view.away) continue;
    models += side.rows[at].models;
    lost += side.rows[at].models - (view.casualty ? 0 : Math.max(view.models, 0));
  }
  return side.game.breaks.map((one) => {
    const number = share(one.share, models, one.down);
    return { ...one, models, lost, number, reached: number > 0 && lost >= number };
  });
}

function activatedOf(rule, models) {
  if (!rule || !models) return 0;
  const step = rule.steps.find(([most]) => models <= most);
  if (step) return step[1];
  return Array.isArray(rule.beyond) ? share(rule.beyond, models, false) : rule.beyond;
}

// What an enemy has scored by the losses of a side, and of how many units no worth is known.
function lossesOf(side, kept, views) {
  let points = 0;
  let unknown = 0;
  const parts = side.game.score?.parts ?? [];
  for (const [at, view] of views.entries()) {
    const row = side.rows[at];
    const on = parts.filter(([place]) => view.states.includes(place));
    const top = on.reduce((sum, [, over, under]) => sum + over / under, 0);
    if (!top) continue;
    if (row.worth === null) unknown += 1;
    else points += Math.ceil(row.worth * Math.min(1, top));
    if (view.out) points += row.extra;
  }
  return { points, unknown };
}

export function sideView(side, kept) {
  const views = viewsOf(side, kept);
  return {
    rows: views,
    standing: views.filter((view) => !view.out && !view.away).length,
    done: views.filter((view, at) => kept.rows[at].done && !view.out && !view.away).length,
    together: activatedOf(side.game.activated, kept.begun),
    breaks: breaksOf(side, views),
    losses: lossesOf(side, kept, views),
  };
}

// Both scores, and what their difference is worth by the game's table.
export function scoreOf(sides, state) {
  const views = sides.map((side, at) => sideView(side, state.sides[at]));
  const points = state.points.map((own, at) => own + (views[1 - at]?.losses.points ?? 0));
  const result = sides[0].game.score?.result;
  const scored = { points, unknown: views.map((view) => view.losses.unknown) };
  if (!result) return scored;
  const [mine, theirs] = points;
  const difference = Math.abs(mine - theirs) * 100;
  const row = result.rows.find(([most]) => most === null || difference <= most * sides[0].limit);
  const shares = mine >= theirs ? [row[1], row[2]] : [row[2], row[1]];
  const goals = shares.map((number, at) => {
    if (state.goal === null) return number;
    return number + (state.goal === at ? result.objective : -result.objective);
  });
  return { ...scored, result: goals };
}

// A new round: uses for a round come back, everybody may act again.
function renew(sides, state, each, all) {
  for (const [at, side] of sides.entries()) {
    const kept = state.sides[at];
    for (const [number, row] of side.rows.entries()) {
      for (const [use, { each: when }] of row.uses.entries()) {
        if (each.includes(when)) delete kept.rows[number].used[use];
      }
      if (all || state.turn === at) kept.rows[number].done = false;
    }
    if (!all) continue;
    const here = viewsOf(side, kept).map((view) => !view.out && !view.away);
    kept.begun = side.rows.reduce((sum, row, number) => sum + (here[number] ? row.models : 0), 0);
  }
}

function next(sides, state) {
  const { game } = sides[0];
  const once = onceOf(game);
  const { last, each } = game.round;
  if (state.over) return;
  if (state.phase + 1 < (state.round ? game.phases.length : once)) {
    state.phase += 1;
    return;
  }
  if (state.round && each && !state.turn) {
    state.turn = 1;
    state.phase = once;
    renew(sides, state, ["turn"], false);
    return;
  }
  if (last && state.round >= last) {
    state.over = true;
    return;
  }
  state.round += 1;
  state.turn = 0;
  state.phase = once;
  renew(sides, state, ["turn", "round"], true);
}

// One phase back: what was tapped meanwhile stays.
function back(sides, state) {
  const { game } = sides[0];
  const once = onceOf(game);
  const last = Math.max(game.phases.length - 1, once);
  if (state.over) state.over = false;
  else if (state.phase > (state.round ? once : 0)) state.phase -= 1;
  else if (state.turn) Object.assign(state, { turn: 0, phase: last });
  else if (state.round > 1) {
    Object.assign(state, { round: state.round - 1, turn: game.round.each ? 1 : 0, phase: last });
  } else if (state.round && once) Object.assign(state, { round: 0, phase: once - 1 });
}

const ACTS = {
  next,
  back,
  hit(sides, state, [at, number, lost]) {
    const row = sides[at].rows[number];
    const kept = state.sides[at].rows[number];
    kept.lost = clamp(kept.lost + lost, mostLost(row));
  },
  tick(sides, state, [at, number, place]) {
    const kept = state.sides[at].rows[number];
    if (!sides[at].rows[number].ticks.includes(place)) return;
    kept.ticks = kept.ticks.includes(place)
      ? kept.ticks.filter((one) => one !== place)
      : [...kept.ticks, place].sort((one, other) => one - other);
  },
  use(sides, state, [at, number, use, times]) {
    const { used } = state.sides[at].rows[number];
    used[use] = clamp((used[use] ?? 0) + times, sides[at].rows[number].uses[use].max);
    if (!used[use]) delete used[use];
  },
  done(sides, state, [at, number]) {
    const kept = state.sides[at].rows[number];
    kept.done = !kept.done;
  },
  points(sides, state, [at, number]) {
    state.points[at] = Math.max(-99_999, Math.min(99_999, state.points[at] + number));
  },
  goal(sides, state, [at]) {
    state.goal = state.goal === at ? null : at;
  },
};

const isNumber = (value) => Number.isInteger(value) && Math.abs(value) < 1e6;

// Whether something is an act of this game: what a browser kept may be anything.
export function isAct(sides, act) {
  if (!Array.isArray(act) || !Object.hasOwn(ACTS, act[0])) return false;
  const [name, at, number, value, times] = act;
  const row = sides[at]?.rows[number];
  if (name === "next" || name === "back") return act.length === 1;
  if (name === "goal" || name === "points") {
    return (at === 0 || at === 1) && act.length === (name === "goal" ? 2 : 3) && act.slice(1).every(isNumber);
  }
  if (!row || !act.slice(1).every(isNumber)) return false;
  if (name === "use") return act.length === 5 && value in row.uses && isNumber(times);
  return act.length === (name === "done" ? 3 : 4);
}

// The state after an act; the one before stays as it is.
export function reduce(sides, state, act) {
  if (!isAct(sides, act)) return state;
  const after = copy(state);
  ACTS[act[0]](sides, after, act.slice(1));
  return after;
}

export const emptyLog = () => ({ base: null, acts: [] });

export function replay(sides, { base, acts }) {
  const state = base ? copy(base) : start(sides);
  for (const act of acts) if (isAct(sides, act)) ACTS[act[0]](sides, state, act.slice(1));
  return state;
}

export function added(sides, log, act) {
  const acts = [...log.acts, act];
  if (acts.length <= KEPT) return { ...log, acts };
  const old = acts.slice(0, acts.length - UNDONE);
  return { base: replay(sides, { base: log.base, acts: old }), acts: acts.slice(-UNDONE) };
}

export const undone = (log) => ({ ...log, acts: log.acts.slice(0, -1) });
