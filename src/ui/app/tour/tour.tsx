// The tour of the demo: offered on the first visit, and started again from the palette.
import { useEffect, useMemo, useReducer } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { lazyPart } from '../lazy-part.tsx'
import { readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'
import { useWorkspace } from '../workspace.tsx'
import { integer, literal, minValue, number, object, pipe, variant, type InferOutput } from 'valibot'

const SETTING = 'tour'

/** Optional: nothing waits for it, and the app works without it. */
const Card = lazyPart('the tour', async () => (await import('./tour-card.tsx')).TourCard, {
  whileLoading: null,
})

const FIRST: TourState = { at: 'offered' }

/** For signed-in users; only offered in the demo. */
export function Tour() {
  const { active } = useWorkspace()
  const isDemo = active?.embedded === true
  const [state, send] = useReducer(tourReducer, undefined, () => readSetting(SETTING, tourSchema, FIRST))
  useEffect(() => writeSetting(SETTING, state), [state])
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'tour',
        title: 'Take the tour',
        section: 'Help',
        words: 'introduction demo learn how',
        ...(!isDemo && { disabled: 'only in the demo' }),
        run: () => send({ type: 'tour.started' }),
      },
    ],
    [isDemo],
  )
  useAppCommands(commands)
  return isDemo && state.at !== 'over' ? <Card state={state} send={send} /> : null
}

const tourSchema = variant('at', [
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
