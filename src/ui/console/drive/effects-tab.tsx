// Running effects with their recorded results, which can be simulated.
import { MessageSquareQuote } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextArea } from '../../widgets/text-area.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import styles from './drive.module.css'
import type { Driven } from './driven.ts'
import { isEvent, parsed, type TypedEvent } from './payload.ts'
import type { Drive, DrivePlace } from './use-drive.ts'
import type { TraceSource } from '../../../trace/index.ts'

export function EffectsTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const effects = drive.control.actors().filter(({ kind }) => kind !== 'machine')
  if (effects.length === 0) {
    return (
      <EmptyState icon={<MessageSquareQuote size={20} aria-hidden />} title="No running effects">
        Requests, sockets, app timers and other side effects appear here while they run.
      </EmptyState>
    )
  }
  return (
    <div className={styles.pane}>
      <p className={styles.faint}>
        {place.isSandbox
          ? 'In the sandbox, effects wait for your input. Send a recorded or custom result.'
          : 'Simulate a result from an effect.'}
      </p>
      <ul className={styles.list} aria-label="Effects">
        {effects.map(({ path, src }) => (
          <Effect key={path} path={path} answers={answersOf(place.examples, src)} control={drive.control} />
        ))}
      </ul>
    </div>
  )
}

interface EffectProps {
  readonly path: string
  readonly answers: readonly TypedEvent[]
  readonly control: Driven
}

function Effect({ path, answers, control }: EffectProps) {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  const emit = () => {
    const read = parsed(text ?? '')
    if ('error' in read) return setError(read.error)
    if (!isEvent(read.value)) return setError('The event needs a type, e.g. {"type": "send.answered"}')
    const emitted = Promise.resolve(control.emitAs(path, read.value))
    void emitted.then(isSaid => setError(isSaid ? undefined : 'This effect cannot send this event'))
  }
  return (
    <li className={styles.effect}>
      <span className={styles.who}>{path}</span>
      <div className={styles.events} role="group" aria-label={`Results of ${path}`}>
        {answers.map(answer => (
          <button
            key={answer.type}
            type="button"
            className={styles.event}
            title="Edit before sending"
            onClick={() => setText(JSON.stringify(answer, undefined, 2))}
          >
            {answer.type}
          </button>
        ))}
        {text === undefined ? (
          <button type="button" className={styles.event} onClick={() => setText('{ "type": "" }')}>
            Custom…
          </button>
        ) : null}
      </div>
      {text === undefined ? null : (
        <>
          <TextArea
            label={`Result of ${path}`}
            hideLabel
            mono
            rows={4}
            value={text}
            onChange={setText}
            error={error}
          />
          <div className={styles.controls}>
            <Button size="s" onPress={emit}>
              Send
            </Button>
            <Button size="s" variant="quiet" onPress={() => setText(undefined)}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </li>
  )
}

const LOOK_BACK = 20_000

/** Returns the latest result of each type from effects with this logic. */
export function answersOf({ stimuli, actors }: TraceSource, src: string): TypedEvent[] {
  const found = new Map<string, TypedEvent>()
  for (let at = stimuli.length - 1; at >= Math.max(0, stimuli.length - LOOK_BACK); at--) {
    const stimulus = stimuli[at]
    if (stimulus?.kind !== 'leaf' || actors[stimulus.from ?? -1]?.src !== src) continue
    const { event } = stimulus
    if (isEvent(event) && !found.has(event.type)) found.set(event.type, event)
  }
  return [...found.values()]
}
