// One function: its description, argument form, call and response.
import { Play } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { TextField } from '../../../widgets/field.tsx'
import { TextArea } from '../../../widgets/text-area.tsx'
import { Form } from '../../../widgets/form.tsx'
import { Segments } from '../../../widgets/segments.tsx'
import { Select, type SelectOption } from '../../../widgets/select.tsx'
import { own, keepByClient, userOf } from '../../../../services/workbench/storage/index.ts'
import { CopyAsMenu } from '../../requests/copy-as-menu.tsx'
import { RpcResponseView } from './rpc-response-view.tsx'
import {
  isPostOnly,
  readRpc,
  type RpcDraft,
  type RpcFunction,
  callRpc,
  emptyDraft,
  JSON_FIELD,
  rpcSpec,
  RpcStore,
  isText,
  NULL,
} from '../../../../services/workbench/functions/index.ts'
import styles from './rpc.module.css'
import { useState, useSyncExternalStore } from 'react'
import { useClient } from '../../../react/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import type { Column } from '../../../../services/workbench/table/index.ts'

/** By user and function. In memory only: an argument may be a secret. */
const stores = keepByClient<RpcStore>()

function useRpc(about: RpcFunction) {
  const client = useClient()
  const [store] = useState(() =>
    stores.of(
      client,
      `${userOf(client)} ${about.name}`,
      () =>
        new RpcStore(emptyDraft(about), {
          name: about.name,
          send: (spec, signal, onStart) => callRpc(client, spec, signal, onStart),
          now: () => client.now(),
          onCalled: job => workRecordings(client).add(`Call of ${about.name}`, job),
        }),
    ),
  )
  const { draft, errors, answer, isPending } = useSyncExternalStore(store.subscribe, store.state)
  const spec = () => {
    const read = readRpc(about, draft)
    return rpcSpec(about.name, draft.method, read.ok ? read.args : {})
  }
  const call = () => {
    const read = readRpc(about, draft)
    if (!read.ok) return store.refuse(read.errors)
    store.call(rpcSpec(about.name, draft.method, read.args))
  }
  const { change, cancel } = store
  return { draft, change, errors, jsonError: errors[JSON_FIELD], answer, isPending, call, cancel, spec }
}

const MODES: readonly SelectOption<RpcDraft['mode']>[] = [
  { id: 'form', label: 'Form' },
  { id: 'json', label: 'JSON' },
]

export function RpcView({ about }: { readonly about: RpcFunction }) {
  const { draft, change, errors, jsonError, answer, isPending, call, cancel, spec } = useRpc(about)
  const toMode = (mode: RpcDraft['mode']) => {
    // Keep the form's valid arguments.
    const read = readRpc(about, draft)
    const json = mode === 'json' && read.ok ? JSON.stringify(read.args, null, 2) : draft.json
    change({ mode, json })
  }
  const isJson = draft.mode === 'json' || about.args.length === 0
  const reading = readRpc(about, draft)
  const isPosted = draft.method === 'GET' && reading.ok && isPostOnly(reading.args)
  return (
    <div className={styles.view}>
      <Form className={styles.form} aria-label={`Call ${about.name}`} onSubmit={call}>
        <header className={styles.head}>
          <h2 className={styles.title}>{about.name}</h2>
          {about.args.length === 0 ? null : (
            <Segments label="Argument format" options={MODES} value={draft.mode} onChange={toMode} />
          )}
        </header>
        {about.about === '' ? null : <p className={styles.note}>{about.about}</p>}
        {isJson ? (
          <TextArea
            label="Arguments as JSON"
            mono
            rows={about.args.length === 0 ? 3 : 8}
            value={draft.json}
            onChange={json => change({ json, mode: 'json' })}
            error={jsonError}
            hint={about.args.length === 0 ? 'No arguments are known.' : undefined}
            spellCheck="false"
          />
        ) : (
          about.args.map(arg => (
            <ArgumentField
              key={arg.name}
              arg={arg}
              text={own(draft.texts, arg.name)}
              error={own(errors, arg.name)}
              onChange={text => {
                const { [arg.name]: _, ...others } = draft.texts
                change({ texts: text === undefined ? others : { ...others, [arg.name]: text } })
              }}
            />
          ))
        )}
        <div className={styles.actions}>
          <Select
            label="Method"
            options={[
              { id: 'POST', label: 'POST' },
              { id: 'GET', label: about.isReading ? 'GET (read-only)' : 'GET' },
            ]}
            isDisabled={!about.isReading}
            value={draft.method}
            onChange={method => change({ method })}
          />
          <Button type="submit" variant="primary" isPending={isPending} icon={<Play size={14} aria-hidden />}>
            Call
          </Button>
          {isPending ? <Button onPress={cancel}>Cancel</Button> : null}
          <CopyAsMenu size="m" spec={spec} />
        </div>
        {about.isReading && !isPosted ? null : (
          <p className={styles.faint}>
            {isPosted
              ? 'GET can’t send null, so this call uses POST.'
              : 'It may change data, so it can only be called with POST.'}
          </p>
        )}
      </Form>
      <RpcResponseView answer={answer} isPending={isPending} />
    </div>
  )
}

interface ArgumentFieldProps {
  readonly arg: Column
  readonly text: string | undefined
  readonly error: string | undefined
  readonly onChange: (text: string | undefined) => void
}

const UNSET = 'unset'

const hintOf = (arg: Column): string => {
  const absent = arg.hasDefault ? 'Uses the default if empty.' : 'Required.'
  return arg.note === undefined ? absent : `${arg.note} ${absent}`
}

/** The placeholder for a missing text. */
const absence = (arg: Column, text: string | undefined): string => {
  if (text === NULL) return 'null'
  if (text === '' && isText(arg)) return 'empty'
  return text === undefined && arg.hasDefault ? 'default' : ''
}

type WaysProps = Omit<ArgumentFieldProps, 'error'> & { readonly label: string }

/** Buttons for null, empty text, and not set. */
function Ways({ arg, label, text, onChange }: WaysProps) {
  const ways = [
    ...(isText(arg) ? [['empty', ''] as const] : []),
    ['null', NULL] as const,
    ...(arg.hasDefault && (text === NULL || text === '') ? [['default', undefined] as const] : []),
  ]
  return (
    <>
      {ways
        .filter(([, value]) => value !== text)
        .map(([name, value]) => (
          <Button
            key={name}
            size="s"
            variant="quiet"
            aria-label={`Set ${label} to ${name}`}
            onPress={() => onChange(value)}
          >
            {name}
          </Button>
        ))}
    </>
  )
}

/** The field of a function argument, by type; shows whether it is optional. */
function ArgumentField({ arg, text, error, onChange }: ArgumentFieldProps) {
  const label = arg.name === '' ? 'argument' : arg.name
  const options = arg.type === 'boolean' ? ['true', 'false'] : arg.options
  if (options)
    return (
      <Select
        label={`${label} · ${arg.format}`}
        options={[
          { id: UNSET, label: arg.hasDefault ? 'Default' : 'Not set' },
          ...options.map(option => ({ id: `=${option}`, label: option })),
          { id: NULL, label: 'null' },
        ]}
        value={text === undefined ? UNSET : text === NULL ? NULL : `=${text}`}
        onChange={id => onChange(id === UNSET ? undefined : id === NULL ? NULL : id.slice(1))}
        error={error}
      />
    )
  const isLong = arg.type === 'json' || arg.type === 'array'
  const shared = {
    label,
    labelNote: arg.format,
    hint: hintOf(arg),
    error,
    mono: arg.type !== 'text',
    value: text === undefined || text === NULL ? '' : text,
    placeholder: absence(arg, text),
    onChange: (next: string) => onChange(next === '' && arg.hasDefault ? undefined : next),
    isRequired: !arg.hasDefault,
    spellCheck: 'false' as const,
  }
  const nothing = <Ways arg={arg} label={label} text={text} onChange={onChange} />
  if (!isLong) return <TextField {...shared} suffix={nothing} />
  return (
    <span>
      <TextArea {...shared} rows={3} />
      {nothing}
    </span>
  )
}
