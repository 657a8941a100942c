// Faults of the embedded backend: its stories, its plan, and custom faults.
import { useState } from 'react'
import { STORIES } from '../../../services/control/index.ts'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './drive.module.css'
import { parsed } from './payload.ts'
import type { BackendFaultsModel } from './use-backend-faults.ts'

const EXAMPLE = '{ "when": { "family": "rest", "every": 3 }, "do": { "status": 503 } }'

export function BackendSection({ model }: { readonly model: BackendFaultsModel }) {
  const { plan, problem, add, clear } = model
  return (
    <section className={styles.section} aria-label="Embedded backend faults">
      <div className={styles.controls}>
        <h2 className={styles.title}>Embedded backend</h2>
        <Button size="s" isDisabled={plan.faults.length === 0} onPress={() => clear()}>
          Clear backend faults
        </Button>
      </div>
      <div className={styles.events} role="group" aria-label="Stories">
        {STORIES.map(story => (
          <button key={story} type="button" className={styles.event} onClick={() => add({ story })}>
            {story}
          </button>
        ))}
      </div>
      <ul className={styles.list} aria-label="Backend fault plan">
        {plan.faults.map(({ id, fault, hits }) => (
          <li key={id} className={styles.row} data-fault>
            <div className={styles.what}>
              <span>◆ {id}</span>
              <span className={styles.who}>
                {wordsOf(fault)} · {hits === 0 ? 'not hit yet' : `hit ${hits}×`}
              </span>
            </div>
            <Button size="s" aria-label={`Clear: ${id}`} onPress={() => clear(id)}>
              Clear
            </Button>
          </li>
        ))}
      </ul>
      {plan.held > 0 ? <p className={styles.faint}>{plan.held} calls are paused.</p> : null}
      <NewFault onAdd={add} problem={problem} />
    </section>
  )
}

function NewFault(props: { readonly onAdd: (fault: object) => void; readonly problem: string | undefined }) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  if (text === undefined)
    return (
      <Button size="s" variant="quiet" onPress={() => setText(EXAMPLE)}>
        Custom fault…
      </Button>
    )
  const submit = () => {
    const read = parsed(text)
    const isFault = 'value' in read && typeof read.value === 'object' && read.value !== null
    setError('error' in read ? read.error : isFault ? undefined : 'A fault must be a JSON object')
    if (isFault) props.onAdd(read.value as object)
  }
  return (
    <Form className={styles.new} onSubmit={submit} aria-label="New backend fault">
      <TextArea
        label="Fault"
        labelNote="JSON, see the guide to faults"
        mono
        rows={4}
        value={text}
        onChange={setText}
        error={error ?? props.problem}
      />
      <Button type="submit" size="s">
        Add fault
      </Button>
    </Form>
  )
}

function wordsOf(fault: object): string {
  const { do: what } = fault as { readonly do?: unknown }
  return JSON.stringify(what ?? fault)
}
