// Button next to a failure that opens the console at its cause.
import { CircleHelp } from 'lucide-react'
import type { TraceSource } from '../../../trace/index.ts'
import { useCallback } from 'react'
import { Button } from '../../widgets/button.tsx'
import { useClient } from '../../react/index.ts'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { useConnected } from '../connected-context.ts'
import type { Cause } from './cause.ts'
import { jump } from './console-jump.ts'

/** Returns a function that opens the console at a place of the current client's recording. */
function useShowCause(): (cause: Cause) => void {
  const { router: later } = useConnected()
  return useCallback(
    ({ actor, at, view }: Cause) => {
      const place = {
        [CONSOLE_SEARCH.actor]: actor,
        [CONSOLE_SEARCH.at]: at,
        [CONSOLE_SEARCH.t]: undefined,
        ...(view === undefined ? {} : { [CONSOLE_SEARCH.view]: view }),
      }
      later.whenThere(
        router =>
          void router.navigate({
            to: '.',
            search: (search: object) => ({ ...search, ...place }) as never,
            state: jump,
            resetScroll: false,
          }),
      )
    },
    [later],
  )
}

export interface WhyButtonProps {
  /** What failed, for screen readers: there may be several buttons. */
  readonly of: string
  /** Called when the button is pressed, as finding the cause may take a while. */
  readonly cause: (trace: TraceSource) => Cause
}

/** Renders nothing for a client without a recording. */
export function WhyButton({ of, cause }: WhyButtonProps) {
  const { recording } = useClient()
  const show = useShowCause()
  if (!recording) return null
  return (
    <Button
      size="s"
      variant="quiet"
      icon={<CircleHelp size={13} aria-hidden />}
      aria-label={`Why? ${of}`}
      onPress={() => show(cause(recording.trace))}
    >
      Why?
    </Button>
  )
}
