// Dialog to enter another key for a saved connection: tested before it is saved, and used without a new sign-in.
import { useRef, useState } from 'react'
import { type Connection, probeBackend } from '../../../services/workbench/hosts/index.ts'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { notify } from '../shell/notify.ts'
import { focusNow } from '../hooks.ts'
import { useWorkspace } from '../workspace.tsx'

interface KeyDialogProps {
  readonly connection: Connection
  readonly onClose: () => void
}

const HINT = 'The publishable or anon key. Never use a secret key: a browser can’t protect it.'

export function KeyDialog({ connection, onClose }: KeyDialogProps) {
  const { dispatch } = useWorkspace()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isChecking, setChecking] = useState(false)
  const latest = useRef(0)
  const close = () => {
    latest.current += 1
    onClose()
  }
  const submit = async () => {
    const mine = (latest.current += 1)
    setChecking(true)
    setProblem(undefined)
    const result = await probeBackend({ url: connection.url, key })
    // The dialog was closed, or another key was entered.
    if (latest.current !== mine) return
    setChecking(false)
    if (!result.ok) return setProblem(result.message)
    dispatch({ type: 'connection.used', connection: { ...connection, key: result.key } })
    notify({ tone: 'ok', title: `${connection.name} has another key`, detail: 'You are still signed in.' })
    onClose()
  }
  const isSet = connection.given === true || connection.embedded
  return (
    <Dialog title={`Key of ${connection.name}`} isOpen onClose={close}>
      <Form onSubmit={() => void submit()} aria-label={`Key of ${connection.name}`}>
        <TextField
          label="Publishable key"
          mono
          value={key}
          onChange={text => {
            latest.current += 1
            setChecking(false)
            setProblem(undefined)
            setKey(text)
          }}
          placeholder="sb_publishable_…"
          hint={HINT}
          error={problem}
          inputRef={focusNow}
          autoComplete="off"
          spellCheck="false"
        />
        {isSet ? (
          <p>This deployment sets the key: it must be changed there, too, or this one is gone on reload.</p>
        ) : null}
        <DialogActions>
          <Button onPress={close}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isChecking}>
            {isChecking ? 'Checking…' : 'Use this key'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** A button that opens the dialog. */
export function EnterKeyButton({ connection }: { readonly connection: Connection }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="s" variant="primary" onPress={() => setOpen(true)}>
        Enter another key
      </Button>
      {isOpen ? <KeyDialog connection={connection} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
