// Button next to a failure that opens the console at its reason.
import { CircleHelp } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../../widgets/button.tsx'
import { useClient } from '../../react/index.ts'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { useConnected } from '../connected-context.ts'
import { jump } from './console-jump.ts'
import type { ClientQuestion } from './questions.ts'
import type { ReasonPlace } from './reason-place.ts'

/** Panes that hide the selected event where there is little room. */
const HIDING = 'drive'
const EVENT = 'event'

/** Whether the console's panes are behind tabs: then the selected event is shown alone. */
const isNarrow = (): boolean => matchMedia('(max-width: 640px)').matches

/** Shows the selected event, whichever panes were open; undefined leaves the default. */
function withEvent(panes: unknown): string | undefined {
  if (typeof panes !== 'string') return undefined
  const others = panes.split(',').filter(pane => pane !== HIDING && pane !== EVENT && pane !== 'none')
  return [...others, EVENT].join(',')
}

/** Returns a function that opens the console at a place of the current client's recording. */
function useShowReason(): (place: ReasonPlace) => void {
  const { router: later } = useConnected()
  return useCallback(
    ({ actor, at, view }: ReasonPlace) => {
      const place = {
        [CONSOLE_SEARCH.actor]: actor,
        [CONSOLE_SEARCH.at]: at,
        [CONSOLE_SEARCH.t]: undefined,
        // A filter could hide the row.
        [CONSOLE_SEARCH.q]: undefined,
        [CONSOLE_SEARCH.big]: isNarrow() ? EVENT : undefined,
        [CONSOLE_SEARCH.tab]: 'cause',
        ...(view && { [CONSOLE_SEARCH.view]: view }),
      }
      later.whenThere(
        router =>
          void router.navigate({
            to: '.',
            search: (search: Readonly<Record<string, unknown>>) =>
              ({
                ...search,
                ...place,
                [CONSOLE_SEARCH.panes]: withEvent(search[CONSOLE_SEARCH.panes]),
              }) as never,
            state: jump,
            resetScroll: false,
          }),
      )
    },
    [later],
  )
}

export interface WhyButtonProps extends ClientQuestion {
  /** What failed, for screen readers: there may be several buttons. */
  readonly of: string
}

/** Renders nothing for a client without a recording. */
export function WhyButton({ of, question, about }: WhyButtonProps) {
  const { recording } = useClient()
  const show = useShowReason()
  if (!recording) return null
  const answer = () => {
    import('./reason-place.ts').then(
      ({ placeOfReason }) => show(placeOfReason(recording.trace, question, about)),
      // Without the code of explanations, the console shows the actor.
      () => show({ actor: about }),
    )
  }
  return (
    <Button
      size="s"
      variant="quiet"
      icon={<CircleHelp size={13} aria-hidden />}
      aria-label={`Why? ${of}`}
      onPress={answer}
    >
      Why?
    </Button>
  )
}
