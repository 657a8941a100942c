// What stands in place of a part that failed while it was drawn: a fault of Chartroom itself.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'

/** A page that failed; the bar, the other sections and the console go on. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <ErrorState title="This page could not be shown" action={<Button onPress={reset}>Try again</Button>}>
      The fault is Chartroom’s own; your data is not affected. (
      {error instanceof Error ? error.message : String(error)})
    </ErrorState>
  )
}

/** The whole app failed. */
export function AppFailed({ error }: { readonly error: Error }) {
  return (
    <ErrorState
      title="Chartroom could not be shown"
      action={<Button onPress={() => location.reload()}>Reload</Button>}
    >
      The fault is Chartroom’s own; your data is not affected. ({error.message})
    </ErrorState>
  )
}
