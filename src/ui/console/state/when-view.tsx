// The history of a value: every record that changed it, with the old and new value.
import { shortPath, countUpToNumber } from '../../../trace/index.ts'
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from '../../widgets/cx.ts'
import { onSeqClick, useRowWindow } from '../use-row-window.ts'
import { pointed } from '../../widgets/pointed.ts'
import { clockTime, count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { type ChangeHistory, useHistory } from './change-history.ts'
import { dotted } from './state-path.ts'
import parts from '../canvas/parts.module.css'
import styles from './when.module.css'

const ROW = 24

export interface WhenViewProps {
  readonly actor: number
  readonly pointer: string
  readonly onPointer: (pointer: string) => void
}

export function WhenView({ actor, pointer, onPointer }: WhenViewProps) {
  const { timeline, selection, pick } = useConsole()
  const { history, version, renew } = useHistory(actor, pointer)
  const { seqs, share, failure } = history
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const view = useRowWindow({ count: seqs.length, size: ROW, scroller })
  const at = countUpToNumber(seqs, selection.at) - 1
  const shown = view.items.map(({ index }) => seqs[index] ?? -1)
  const wanted = shown.flatMap(seq => [seq, timeline.previous(seq)])
  useEffect(() => {
    void history.want(wanted, renew)
  })
  const { reveal } = view
  useEffect(() => reveal(at), [at, reveal])
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: seqs.length - 1 }[event.key]
    const seq = to === undefined ? undefined : seqs[to]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (seq !== undefined) pick(seq)
  }
  const entry = timeline.actors[actor]
  return (
    <div className={parts.column} data-version={version}>
      <WhenHead
        name={entry ? shortPath(entry) : '?'}
        pointer={pointer}
        onPointer={onPointer}
        status={statusText(history)}
      />
      {share < 1 ? <progress className={styles.progress} value={share} aria-label="Search progress" /> : null}
      {failure === undefined ? null : <p className={styles.note}>The search failed: {failure}</p>}
      {seqs.length === 0 && share >= 1 ? (
        <p className={styles.note}>It never changed in this recording.</p>
      ) : null}
      <div
        ref={scroller}
        role="listbox"
        aria-label="Changes over time"
        tabIndex={0}
        aria-activedescendant={pointed(view.items, at, `${id}-${seqs[at]}`)}
        className={styles.rows}
        onKeyDown={onKeyDown}
        onClick={event => onSeqClick(event, pick)}
      >
        <div role="none" className={styles.sheet} style={{ height: view.total }}>
          {view.items.map(({ index, start }) => (
            <WhenRow
              key={seqs[index]}
              id={`${id}-${seqs[index]}`}
              history={history}
              seq={seqs[index] ?? -1}
              top={start}
              isCurrent={index === at}
              isFuture={index > at}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function statusText({ seqs, share }: ChangeHistory): string {
  const found = plural(seqs.length, 'change')
  return share < 1 ? `${found} so far · ${Math.floor(share * 100)} %` : found
}

interface WhenHeadProps {
  readonly name: string
  readonly pointer: string
  readonly onPointer: (pointer: string) => void
  readonly status: string
}

function WhenHead({ name, pointer, onPointer, status }: WhenHeadProps) {
  const take = (text: string) => {
    const path = text.trim().replace(/^context:/, '')
    if (/^\/?state$/.test(path)) onPointer('/state')
    else if (/^\/context(\/|$)/.test(path)) onPointer(path)
    else onPointer(`/context${path === '' || path.startsWith('/') ? path : `/${path.replaceAll('.', '/')}`}`)
  }
  return (
    <div className={styles.head}>
      <span className={styles.name}>{name}</span>
      <input
        key={pointer}
        className={styles.input}
        aria-label="Path of the value"
        title="A path such as /token/expiresAt, or state"
        spellCheck={false}
        autoComplete="off"
        defaultValue={dotted(pointer)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          take(event.currentTarget.value.replace(/^context\.?/, ''))
        }}
      />
      <span className={styles.count} role="status">
        {status}
      </span>
    </div>
  )
}

interface WhenRowProps {
  readonly id: string
  readonly history: ChangeHistory
  readonly seq: number
  readonly top: number
  readonly isCurrent: boolean
  readonly isFuture: boolean
}

function WhenRow({ id, history, seq, top, isCurrent, isFuture }: WhenRowProps) {
  const { timeline } = history.of
  const was = history.before(seq)
  const is = history.after(seq)
  return (
    <div
      id={id}
      role="option"
      data-seq={seq}
      aria-selected={isCurrent}
      className={cx(styles.row, isCurrent && styles.current, isFuture && styles.future)}
      style={{ top }}
      title={`#${count(seq)} ${timeline.type(seq)}`}
    >
      <span className={styles.seq}>#{count(seq)}</span>
      <span className={styles.time}>{clockTime(timeline.t(seq))}</span>
      <span className={styles.change}>
        {was !== undefined && is !== undefined ? (
          <Became was={was} is={is} />
        ) : (
          <span className={styles.was}>…</span>
        )}
      </span>
    </div>
  )
}

function Became({ was, is }: { readonly was: string; readonly is: string }): ReactNode {
  return (
    <>
      {was === '' ? null : (
        <>
          <span className={styles.was}>{was}</span>
          <span className={styles.arrow}>→</span>
        </>
      )}
      <span className={styles.is}>{is === '' ? 'gone' : is}</span>
    </>
  )
}
