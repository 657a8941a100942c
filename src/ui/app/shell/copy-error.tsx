// Copies what happened, for whoever wants to tell of it.
import { Button } from '../../widgets/button.tsx'
import { notify } from './notify.ts'

/** What happened, and where in the code. */
export function CopyError({ error }: { readonly error: Error }) {
  const copy = () =>
    navigator.clipboard.writeText(error.stack ?? error.message).then(
      () => notify({ tone: 'ok', title: 'Copied' }),
      () => notify({ tone: 'fail', title: 'The clipboard is closed to this page', detail: error.message }),
    )
  return <Button onPress={() => void copy()}>Copy what happened</Button>
}
