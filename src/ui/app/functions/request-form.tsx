// The request form.
import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { Select } from '../../widgets/select.tsx'
import { Tabs } from '../../widgets/tabs.tsx'
import { BodyEditor } from './body-editor.tsx'
import {
  type FunctionCallState,
  type FunctionCallStore,
  isUnderWay,
  livePairs,
  METHODS,
  takesBody,
} from '../../../services/workbench/functions/index.ts'
import { CallOptions } from './call-options.tsx'
import styles from './functions.module.css'
import { PairsEditor } from './pairs-editor.tsx'
import { useCtrlEnter } from '../commands/use-ctrl-enter.ts'

const PARTS = ['body', 'query', 'headers', 'options'] as const
type Part = (typeof PARTS)[number]

const isPart = (text: string): text is Part => PARTS.some(part => part === text)

const counted = (title: string, count: number) => (count === 0 ? title : `${title} ${count}`)

export interface RequestFormProps {
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
