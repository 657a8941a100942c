// Button that copies an error for a bug report.
import { Button } from '../../widgets/button.tsx'
import { notify } from './notify.ts'

/** Message and stack trace. */
export function CopyError({ error }: { readonly error: Error }) {
  const copy = () =>
    navigator.clipboard.writeText(error.stack ?? error.message).then(
      () => notify({ tone: 'ok', title: 'Copied' }),
      () => notify({ tone: 'fail', title: 'This page can’t access the clipboard', detail: error.message }),
    )
  return <Button onPress={() => void copy()}>Copy error details</Button>
}
