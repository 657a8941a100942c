// How far somebody is in the tour: offered once, taken step by step, left or finished, and taken again when wanted.
import { integer, literal, minValue, number, object, pipe, variant, type InferOutput } from 'valibot'

export const tourSchema = variant('at', [
  /** Until it was answered. */
  object({ at: literal('offered') }),
  object({ at: literal('step'), step: pipe(number(), integer(), minValue(0)) }),
  /** Left, finished, or not wanted. */
  object({ at: literal('over') }),
])

export type TourState = InferOutput<typeof tourSchema>

export type TourEvent =
  | { readonly type: 'tour.started' }
  | { readonly type: 'tour.went'; readonly by: 1 | -1 }
  /** Left, or not wanted at all. */
  | { readonly type: 'tour.left' }

/** The next state. Nothing but being left ends it, so that whoever shows it knows its steps alone. */
export function tourReducer(state: TourState, event: TourEvent): TourState {
  switch (event.type) {
    case 'tour.started':
      return { at: 'step', step: 0 }
    case 'tour.left':
      return { at: 'over' }
    case 'tour.went':
      return state.at === 'step' ? { at: 'step', step: Math.max(0, state.step + event.by) } : state
  }
}
