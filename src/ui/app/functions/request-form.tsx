// The request form of a call: its address, options, headers and body.
import { Play, Square, FileUp, WrapText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { Select, type SelectOption } from '../../widgets/select.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import {
  type FunctionCallState,
  type FunctionCallStore,
  isUnderWay,
  livePairs,
  METHODS,
  takesBody,
  REGIONS,
  BODY_FILE,
  type BodyKind,
} from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import { PairsEditor } from './pairs-editor.tsx'
import { useCtrlEnter } from '../commands/use-ctrl-enter.ts'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import { FileTrigger } from 'react-aria-components'
import { TextArea } from '../../widgets/text-area.tsx'
import { Segments } from '../../widgets/segments.tsx'
import { indented, formatSize } from '../../../services/workbench/text/index.ts'
import { JsonText } from '../json/json-text.tsx'

const PARTS = ['body', 'query', 'headers', 'options'] as const
type Part = (typeof PARTS)[number]

const isPart = (text: string): text is Part => PARTS.some(part => part === text)

const counted = (title: string, count: number) => (count === 0 ? title : `${title} ${count}`)

interface RequestFormProps {
  readonly store: FunctionCallStore
  readonly state: FunctionCallState
}

/** The section with the first problem, to scroll it into view. */
function partInTrouble({ problems }: FunctionCallState): Part | undefined {
  if (problems.body !== undefined) return 'body'
  if (problems.query !== undefined) return 'query'
  if (problems.headers !== undefined) return 'headers'
  return problems.timeout === undefined && problems.as === undefined ? undefined : 'options'
}

/** Enter in a field, or Ctrl+Enter anywhere on the page, sends; the same button stops a pending call. */
export function RequestForm({ store, state }: RequestFormProps) {
  const [part, setPart] = useState<Part>('body')
  const { draft, problems, call } = state
  const isRunning = isUnderWay(call)
  const hasBody = takesBody(draft.method)
  const send = () => {
    if (store.send() || isUnderWay(store.state().call)) return
    const trouble = partInTrouble(store.state())
    if (trouble) setPart(trouble)
  }
  const submit = () => {
    if (isRunning) store.stop()
    else send()
  }
  const form = useCtrlEnter(send, 'page')
  return (
    <Form ref={form} className={styles.form} onSubmit={submit} aria-label="Request">
      <div className={styles.line}>
        <Select
          label="Method"
          options={METHODS.map(each => ({ id: each, label: each }))}
          value={draft.method}
          onChange={method => store.edit({ method })}
        />
        <TextField
          label="Function"
          mono
          value={draft.name}
          onChange={name => store.edit({ name })}
          error={problems.name}
          placeholder="name, or name/path"
          autoComplete="off"
          spellCheck="false"
        />
        <span className={styles.send}>
          <Button
            type="submit"
            variant={isRunning ? 'danger' : 'primary'}
            icon={isRunning ? <Square size={12} aria-hidden /> : <Play size={14} aria-hidden />}
          >
            {isRunning ? 'Stop' : 'Call'}
          </Button>
        </span>
      </div>
      <div className={styles.parts}>
        <Tabs
          label="Request sections"
          selected={hasBody || part !== 'body' ? part : 'query'}
          onSelect={id => {
            if (isPart(id)) setPart(id)
          }}
          aside={
            <span className={styles.keys}>
              <Kbd>Ctrl+Enter</Kbd>
            </span>
          }
          items={[
            ...(hasBody
              ? [{ id: 'body', title: 'Body', content: <BodyEditor store={store} state={state} /> }]
              : []),
            {
              id: 'query',
              title: counted('Query', livePairs(draft.query).length),
              content: (
                <PairsEditor
                  label="Query"
                  pairs={draft.query}
                  onChange={query => store.edit({ query })}
                  error={problems.query}
                />
              ),
            },
            {
              id: 'headers',
              title: counted('Headers', livePairs(draft.headers).length),
              content: (
                <PairsEditor
                  label="Header"
                  pairs={draft.headers}
                  onChange={headers => store.edit({ headers })}
                  error={problems.headers}
                  hint="Your access token and the API key are added automatically."
                />
              ),
            },
            {
              id: 'options',
              title: 'Options',
              content: <CallOptions store={store} state={state} />,
            },
          ]}
        />
      </div>
    </Form>
  )
}

const CALLERS = [
  { id: 'user', label: 'You' },
  { id: 'public', label: 'Anonymous (public key)' },
]

/** The user, the anonymous role, and the other signed-in accounts. */
function useCallers() {
  const { list, active } = useAccounts()
  const others = list.filter(({ id }) => id !== active?.id)
  return [...CALLERS, ...others.map(({ id, email }) => ({ id, label: email ?? 'Account without email' }))]
}

function CallOptions({ store, state: { draft, problems } }: RequestFormProps) {
  return (
    <div className={styles.options}>
      <Select
        label="Call as"
        options={useCallers()}
        value={draft.as}
        onChange={as => store.edit({ as })}
        error={problems.as}
      />
      <Select
        label="Region"
        options={REGIONS.map(id => ({ id, label: id === 'any' ? 'Nearest (any)' : id }))}
        value={draft.region}
        onChange={region => store.edit({ region })}
      />
      <TextField
        label="Timeout to first byte (s)"
        inputMode="decimal"
        value={draft.timeout}
        onChange={timeout => store.edit({ timeout })}
        error={problems.timeout}
        placeholder="60"
        hint="Above 60, this also limits how long a stream may run."
      />
    </div>
  )
}

const KINDS: readonly SelectOption<BodyKind>[] = [
  { id: 'json', label: 'JSON' },
  { id: 'text', label: 'Text' },
  { id: 'form', label: 'Form' },
  { id: 'file', label: 'File' },
  { id: 'none', label: 'None' },
]

/** The input of each type is kept while another type is selected. */
function BodyEditor({ store, state }: RequestFormProps) {
  const { draft } = state
  return (
    <div className={styles.bodyEditor}>
      <div className={styles.kindLine}>
        <Segments
          label="Body type"
          options={KINDS}
          value={draft.kind}
          onChange={kind => store.edit({ kind })}
        />
        {draft.kind === 'json' ? (
          <Button
            size="s"
            variant="quiet"
            icon={<WrapText size={13} aria-hidden />}
            isDisabled={indented(draft.json) === undefined}
            onPress={() => store.edit({ json: indented(draft.json) ?? draft.json })}
          >
            Format
          </Button>
        ) : null}
      </div>
      <Editor store={store} state={state} />
    </div>
  )
}

function Editor({ store, state: { draft, files, problems } }: RequestFormProps) {
  switch (draft.kind) {
    case 'none':
      return null
    case 'json':
      return (
        <JsonField
          label="JSON body"
          text={draft.json}
          onChange={json => store.edit({ json })}
          error={problems.body}
        />
      )
    case 'text':
      return (
        <TextArea
          label="Text body"
          hideLabel
          mono
          rows={9}
          value={draft.text}
          onChange={text => store.edit({ text })}
          error={problems.body}
          spellCheck="false"
        />
      )
    case 'form':
      return (
        <PairsEditor
          label="Part"
          pairs={draft.form}
          onChange={form => store.edit({ form })}
          error={problems.body}
          onFile={store.choose}
          hint="Sent as multipart/form-data."
        />
      )
    case 'file': {
      const file = files[BODY_FILE]
      return (
        <div className={styles.fileLine}>
          <FileTrigger
            onSelect={list => {
              const chosen = list?.[0]
              if (!chosen) return
              store.choose(BODY_FILE, chosen)
              store.edit({ fileName: chosen.name })
            }}
          >
            <Button icon={<FileUp size={14} aria-hidden />}>Choose a file</Button>
          </FileTrigger>
          <span>{file ? `${file.name} · ${formatSize(file.size)}` : fileWords(draft.fileName)}</span>
          {problems.body === undefined ? null : (
            <p role="alert" className={styles.problem}>
              {problems.body}
            </p>
          )}
        </div>
      )
    }
  }
}

const fileWords = (name: string) =>
  name === '' ? 'No file chosen.' : `${name} was chosen; files are not stored.`

interface JsonFieldProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
}

/** The JSON body field with its error. */
function JsonField({ error, ...field }: JsonFieldProps) {
  return (
    <div className={styles.jsonField}>
      <JsonText {...field} isInvalid={error !== undefined} className={styles.code} />
      {error === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  )
}
