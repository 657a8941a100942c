// Progress of the tour: offered once, then taken step by step; it can be restarted.
import { integer, literal, minValue, number, object, pipe, variant, type InferOutput } from 'valibot'

export const tourSchema = variant('at', [
  /** Not answered yet. */
  object({ at: literal('offered') }),
  object({ at: literal('step'), step: pipe(number(), integer(), minValue(0)) }),
  /** Left, finished or declined. */
  object({ at: literal('over') }),
])

export type TourState = InferOutput<typeof tourSchema>

export type TourEvent =
  | { readonly type: 'tour.started' }
  | { readonly type: 'tour.went'; readonly by: 1 | -1 }
  /** Left or declined. */
  | { readonly type: 'tour.left' }

/** Returns the next state. Only `tour.left` ends the tour; the last step is known to the component. */
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
