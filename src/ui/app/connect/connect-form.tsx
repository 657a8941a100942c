// Connecting to another backend by address and key.
import { useEffect, useState, type ClipboardEvent, type FormEvent } from 'react'
import { string } from 'valibot'
import { readAddress, readKey, readPasted } from '../../../probe.ts'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { readSetting, writeSetting } from '../local-store.ts'
import { notify } from '../shell/notify.ts'
import { useWorkspace } from '../workspace.tsx'
import form from '../shell/form.module.css'
import { addressWords, worthKeeping } from './address-words.ts'
import { SurveyPanel } from './survey-panel.tsx'
import { useProbe, type Refusal } from './use-probe.ts'

const KEY_HINT = 'The publishable or anon key. Never a secret key: a browser can’t keep one.'

/** What was typed is there again when somebody comes back. */
const DRAFT = 'connect'

/** Refusals that say something about the host, which a look at its families says more of. */
const ABOUT_THE_HOST: ReadonlySet<Refusal['problem']> = new Set([
  'unreachable',
  'blocked',
  'timeout',
  'notSupabase',
  'unwell',
])

/** Both are checked against the backend itself before anything is saved. */
export function ConnectForm() {
  const { connections, dispatch } = useWorkspace()
  const [url, setUrl] = useState(() => readSetting(DRAFT, string(), ''))
  const [key, setKey] = useState('')
  const { isRunning, refusal, run, clear } = useProbe()
  useEffect(() => writeSetting(DRAFT, worthKeeping(url)), [url])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = await run({ url, key })
    if (found === undefined) return
    writeSetting(DRAFT, '')
    const known = connections.list.find(each => each.id === found.url)
    const name = known?.name ?? new URL(found.url).host
    dispatch({
      type: 'connection.used',
      connection: {
        ...known,
        id: found.url,
        name,
        url: found.url,
        key: found.key,
        embedded: known?.embedded ?? false,
      },
    })
    notify({ tone: 'ok', title: `Connected to ${name}` })
  }
  const change = (set: (text: string) => void) => (text: string) => {
    clear()
    set(text)
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = readPasted(event.clipboardData.getData('text'))
    if (!pasted) return
    event.preventDefault()
    clear()
    if (pasted.url !== undefined) setUrl(pasted.url)
    if (pasted.key !== undefined) setKey(pasted.key)
    if (pasted.leftOut)
      notify({
        title: 'The secret key was left out',
        detail: 'Address and publishable key were taken from what you pasted, nothing else.',
      })
  }
  const errorOf = (field: 'url' | 'key') => (refusal?.field === field ? refusal.message : undefined)
  const address = readAddress(url)
  return (
    <form
      className={form.form}
      onSubmit={event => void submit(event)}
      onPaste={paste}
      aria-label="Connect to a backend"
      noValidate
    >
      <TextField
        label="URL"
        value={url}
        onChange={change(setUrl)}
        placeholder="https://your-project.supabase.co"
        hint={addressWords(address) ?? 'A project’s URL, its reference, or the address of its dashboard.'}
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
        hint={KEY_HINT}
        error={errorOf('key')}
        autoComplete="off"
        spellCheck="false"
      />
      <Button type="submit" variant="primary" isPending={isRunning}>
        {isRunning ? 'Checking…' : 'Connect'}
      </Button>
      {refusal && address && ABOUT_THE_HOST.has(refusal.problem) ? (
        <SurveyPanel name={new URL(address.url).host} url={address.url} apiKey={readKey(key).key} />
      ) : null}
    </form>
  )
}
