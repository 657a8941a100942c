// Connecting to another backend by address and key.
import { useState, type FormEvent } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { useWorkspace } from '../workspace.tsx'
import form from '../shell/form.module.css'
import { useProbe } from './use-probe.ts'

/** Both are checked against the backend itself before anything is saved. */
export function ConnectForm() {
  const { dispatch } = useWorkspace()
  const [url, setUrl] = useState('')
  const [key, setKey] = useState('')
  const { isRunning, refusal, run, clear } = useProbe()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = await run({ url, key })
    if (found === undefined) return
    const connection = {
      id: found.url,
      name: new URL(found.url).host,
      url: found.url,
      key: found.key,
      embedded: false,
    }
    dispatch({ type: 'connection.used', connection })
  }
  const change = (set: (text: string) => void) => (text: string) => {
    clear()
    set(text)
  }
  const errorOf = (field: 'url' | 'key') => (refusal?.field === field ? refusal.message : undefined)
  return (
    <form
      className={form.form}
      onSubmit={event => void submit(event)}
      aria-label="Connect to a backend"
      noValidate
    >
      <TextField
        label="URL"
        value={url}
        onChange={change(setUrl)}
        placeholder="https://your-project.supabase.co"
        error={errorOf('url')}
        autoComplete="url"
        inputMode="url"
      />
      <TextField
        label="Publishable key"
        mono
        value={key}
        onChange={change(setKey)}
        placeholder="sb_publishable_…"
        hint="The publishable or anon key. Never a secret key: a browser can't keep one."
        error={errorOf('key')}
        autoComplete="off"
        spellCheck="false"
      />
      <Button type="submit" variant="primary" isPending={isRunning}>
        {isRunning ? 'Checking…' : 'Connect'}
      </Button>
    </form>
  )
}
