// Form to connect to another backend by URL and key.
import { useEffect, useState, type ClipboardEvent, useRef } from 'react'
import {
  describeAddress,
  publicKey,
  readAddress,
  readKey,
  readPasted,
  worthKeeping,
  probeBackend,
  type ProbeResult,
} from '../../../services/workbench/hosts/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { readInTab, writeInTab } from '../../../services/workbench/storage/index.ts'
import { notify } from '../shell/notify.ts'
import { useWorkspace } from '../workspace.tsx'
import form from '../shell/form.module.css'
import { SurveyPanel } from './survey-panel.tsx'

type Refusal = Extract<ProbeResult, { ok: false }>

interface Probe {
  readonly isRunning: boolean
  readonly refusal: Refusal | undefined
  /** Resolves to the accepted URL and key; undefined if rejected or superseded by a newer probe. */
  readonly run: (typed: {
    url: string
    key: string
  }) => Promise<Extract<ProbeResult, { ok: true }> | undefined>
  readonly clear: () => void
}

/** State of the connect form's probe. */
const useProbe = (): Probe => {
  const [isRunning, setRunning] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const latest = useRef(0)
  useEffect(
    () => () => {
      latest.current += 1
    },
    [],
  )
  const run: Probe['run'] = async typed => {
    const mine = (latest.current += 1)
    setRunning(true)
    setRefusal(undefined)
    const result = await probeBackend(typed)
    if (latest.current !== mine) return undefined
    setRunning(false)
    if (result.ok) return result
    setRefusal(result)
    return undefined
  }
  return { isRunning, refusal, run, clear: () => setRefusal(undefined) }
}

const KEY_HINT = 'The publishable or anon key. Never use a secret key: a browser can’t protect it.'

/** Drafts restore the typed values, such as after a lost session. */
const [DRAFT_URL, DRAFT_KEY] = ['connect', 'connect.key']

/** Failures that the diagnostics of the backend's services explain further. */
const ABOUT_THE_HOST: ReadonlySet<Refusal['problem']> = new Set([
  'unreachable',
  'blocked',
  'timeout',
  'notSupabase',
  'unwell',
])

/** Both values are checked against the backend before anything is saved. */
export function ConnectForm() {
  const { connections, dispatch } = useWorkspace()
  const [url, setUrl] = useState(() => readInTab(DRAFT_URL) ?? '')
  const [key, setKey] = useState(() => readInTab(DRAFT_KEY) ?? '')
  const { isRunning, refusal, run, clear } = useProbe()
  useEffect(() => {
    writeInTab(DRAFT_URL, worthKeeping(url) || null)
    writeInTab(DRAFT_KEY, publicKey(key) || null)
  }, [url, key])
  const submit = async () => {
    const found = await run({ url, key })
    if (found === undefined) return
    writeInTab(DRAFT_URL, null)
    writeInTab(DRAFT_KEY, null)
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
        title: 'The secret key was ignored',
        detail: 'Only the URL and the publishable key were taken from the pasted text.',
      })
  }
  const errorOf = (field: 'url' | 'key') => (refusal?.field === field ? refusal.message : undefined)
  const address = readAddress(url)
  return (
    <Form
      className={form.form}
      onSubmit={() => void submit()}
      onPaste={paste}
      aria-label="Connect to a backend"
    >
      <TextField
        label="URL"
        value={url}
        onChange={change(setUrl)}
        placeholder="https://your-project.supabase.co"
        hint={describeAddress(address) ?? 'A project’s URL, its reference or its dashboard URL.'}
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
    </Form>
  )
}
