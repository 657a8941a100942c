// One function: its words, the form of its arguments, the call, and the answer.
import { Play } from 'lucide-react'
import type { FormEvent } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import { TextArea } from '../../../widgets/field.tsx'
import { Select } from '../../../widgets/select.tsx'
import { own } from '../../named.ts'
import { CopyAsMenu } from '../../requests/copy-as-menu.tsx'
import { ArgumentField } from './argument-field.tsx'
import { RpcAnswerView } from './rpc-answer-view.tsx'
import { readRpc, type RpcDraft } from './rpc-draft.ts'
import type { RpcFunction } from './rpc-functions.ts'
import styles from './rpc.module.css'
import { useRpc } from './use-rpc.ts'

const MODES = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const

function ModeSwitch({
  mode,
  onMode,
}: {
  readonly mode: RpcDraft['mode']
  readonly onMode: (mode: RpcDraft['mode']) => void
}) {
  return (
    <ToggleButtonGroup
      aria-label="How arguments are written"
      className={cx(styles.modes)}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[mode]}
      onSelectionChange={keys => onMode(keys.has('json') ? 'json' : 'form')}
    >
      {MODES.map(([id, title]) => (
        <ToggleButton key={id} id={id} className={cx(styles.mode)}>
          {title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

export function RpcView({ about }: { readonly about: RpcFunction }) {
  const { draft, change, errors, jsonError, answer, isPending, call, cancel, spec } = useRpc(about)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void call()
  }
  const toMode = (mode: RpcDraft['mode']) => {
    // What the form has is taken along, as far as it makes sense.
    const read = readRpc(about, draft)
    const json = mode === 'json' && read.ok ? JSON.stringify(read.args, null, 2) : draft.json
    change({ mode, json })
  }
  const isJson = draft.mode === 'json' || about.args.length === 0
  return (
    <div className={styles.view}>
      <form className={styles.form} aria-label={`Call ${about.name}`} onSubmit={submit} noValidate>
        <header className={styles.head}>
          <h2 className={styles.title}>{about.name}</h2>
          {about.args.length === 0 ? null : <ModeSwitch mode={draft.mode} onMode={toMode} />}
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
            hint={about.args.length === 0 ? 'It takes none, as far as is known.' : undefined}
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
              { id: 'GET', label: about.isReading ? 'GET: reads only' : 'GET' },
            ]}
            isDisabled={!about.isReading}
            value={draft.method}
            onChange={method => change({ method: method === 'GET' ? 'GET' : 'POST' })}
          />
          <Button type="submit" variant="primary" isPending={isPending} icon={<Play size={14} aria-hidden />}>
            Call
          </Button>
          {isPending ? <Button onPress={cancel}>Give up</Button> : null}
          <CopyAsMenu size="m" spec={spec} />
        </div>
        {about.isReading ? null : (
          <p className={styles.faint}>It may change data, so it is called with POST alone.</p>
        )}
      </form>
      <RpcAnswerView answer={answer} isPending={isPending} />
    </div>
  )
}
