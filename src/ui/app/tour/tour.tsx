// The tour of the demo: offered on the first visit, and started again from the palette.
import { useEffect, useMemo, useReducer } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { lazyPart } from '../lazy-part.tsx'
import { readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'
import { useWorkspace } from '../workspace.tsx'
import { tourReducer, tourSchema, type TourState } from './tour-state.ts'

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
