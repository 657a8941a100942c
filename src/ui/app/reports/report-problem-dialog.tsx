// What happened, in the user's words, sent with the recording of the last minutes.
import { useState } from 'react'
import { reportHere } from '../../../services/workbench/reports/index.ts'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Form } from '../../widgets/form.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { Notice } from '../shell/page.tsx'
import { notify } from '../shell/notify.ts'

const MOST = 5_000
/** The user opened the dialog to write. */
const FOCUSED = { autoFocus: true } as const

export function ReportProblemDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient()
  const [note, setNote] = useState('')
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async () => {
    setSaving(true)
    const wrong = await reportHere(client, note)
    setSaving(false)
    if (wrong !== undefined) return setProblem(wrong)
    notify({ tone: 'ok', title: 'Report saved', detail: 'It is sent in the background.' })
    onClose()
  }
  return (
    <Dialog title="Report a problem" isOpen onClose={onClose}>
      <Form aria-label="Report a problem" onSubmit={() => void send()}>
        <p>
          Sends a recording of what this page did in the last minutes to the members of this project. It
          contains no passwords or tokens, but it can contain data that you saw or entered.
        </p>
        <TextArea label="What happened?" value={note} onChange={setNote} maxLength={MOST} {...FOCUSED} />
        {problem === undefined ? null : <Notice tone="fail">{problem}</Notice>}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isSaving}>
            Send report
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
