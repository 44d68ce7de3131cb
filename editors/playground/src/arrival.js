// A moment of a stream, marked in the text: what arrives now, what is held back, and what is still to come.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

const setMoment = StateEffect.define();
const marks = { arriving: "cm-arriving", held: "cm-held", ahead: "cm-ahead" };
for (const [name, kind] of Object.entries(marks)) marks[name] = Decoration.mark({ class: kind });

export const arrival = StateField.define({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMoment)) return drawn(effect.value, transaction.state.doc.length);
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function drawn(moment, length) {
  if (!moment) return Decoration.none;
  const { start, end, held } = moment;
  const ranges = [
    ["arriving", start, Math.min(end, end - held)],
    ["held", end - held, end],
    ["ahead", end, length],
  ];
  return Decoration.set(ranges.filter(([, from, to]) => from < to).map(([name, from, to]) => marks[name].range(from, to)));
}

// Offsets: the newest chunk is from `start` to `end`, and of what is before `end`, `held` characters are held back.
export function showMoment(view, moment) {
  const effects = [setMoment.of(moment)];
  if (moment) effects.push(EditorView.scrollIntoView(moment.end, { yMargin: 40 }));
  view.dispatch({ effects });
}
