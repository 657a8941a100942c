// Details of a state or of transitions, with buttons to send their events.
import { X } from 'lucide-react'
import {
  Fragment,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import {
  type ChartState,
  type MachineChart,
  type NamedTransition,
  namedTransitions,
  type SourcePosition,
  sourceOfName,
} from '../../../trace/index.ts'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { count as grouped } from '../text.ts'
import styles from './card.module.css'
import type { Counts } from './chart-counts.ts'
import { useConsole } from '../use-console.ts'
import type { ChartTarget } from './chart-shapes.tsx'
import { durationText, eventText, isSendable } from './chart-text.ts'
import type { ChartActivity } from './chart-activity.ts'
import { SourceLink, useSource } from '../source/source-link.tsx'
import type { ChartChoices } from './use-chart-choices.ts'

export interface ChartCardProps {
  readonly chart: MachineChart
  /** Path of the actor that receives sent events. */
  readonly actor: string
  readonly activity: ChartActivity
  readonly choices: ChartChoices
  readonly target: ChartTarget
  readonly counts: Counts
  readonly onClose: () => void
  readonly onSelect: (target: ChartTarget, isOpening: boolean) => void
}

/** Takes the focus; Escape closes it. */
export function ChartCard(props: ChartCardProps) {
  const { target, choices, chart, onClose } = props
  const card = useRef<HTMLElement>(null)
  const key = target.kind === 'state' ? target.path : target.names.join()
  useEffect(() => card.current?.focus(), [key])
  useClosedWithState(card, key, props)
  const path = target.kind === 'state' ? target.path : sourceOfName(target.names[0] ?? '')
  const state = choices.states.get(path)
  if (!state) return null
  const all = namedTransitions(chart.id, state)
  const shown =
    target.kind === 'state'
      ? all
      : target.names.flatMap(name =>
          namedTransitions(chart.id, choices.states.get(sourceOfName(name))).filter(one => one.name === name),
        )
  const title = path === '' ? chart.id : path
  const focusable = {
    tabIndex: -1,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onClose()
    },
  }
  return (
    <section
      ref={card}
      className={styles.card}
      aria-label={target.kind === 'state' ? `State ${title}` : `Transitions of ${title}`}
      {...focusable}
    >
      <header className={styles.head}>
        <h3 className={styles.title}>{title}</h3>
        <ToolButton icon={X} iconSize={14} label="Close" shortcut="Esc" onPress={onClose} />
      </header>
      {target.kind === 'state' ? <StateFacts state={state} {...props} /> : null}
      {shown.length === 0 ? (
        <p className={styles.none}>{state.type === 'final' ? 'Final state.' : 'Handles no events itself.'}</p>
      ) : (
        <ul className={styles.list} aria-label="Transitions">
          {shown.map(transition => (
            <Transition key={transition.name} transition={transition} {...props} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Closes the card, which covers the chart, once other states are active; not while an event is being written. */
function useClosedWithState(
  card: RefObject<HTMLElement | null>,
  key: string,
  { actor, activity, onClose }: ChartCardProps,
): void {
  const moment = [actor, ...activity.active].join('\n')
  const opened = useRef({ key, moment })
  const closeIfOver = useEffectEvent(() => {
    if (opened.current.key !== key) opened.current = { key, moment }
    if (opened.current.moment !== moment && !card.current?.querySelector('form')) onClose()
  })
  useEffect(() => closeIfOver(), [key, moment])
}

function StateFacts({ state, chart, activity, counts }: ChartCardProps & { readonly state: ChartState }) {
  const sourceOf = useSource(chart)
  const visits = counts.states.get(state.path) ?? 0
  const parts = (list: 'entry' | 'exit' | 'invoke', names: readonly string[]) => (
    <Names
      names={names}
      positionOf={(name, n) =>
        sourceOf({ kind: list === 'invoke' ? 'actor' : 'action', name, at: { state: state.path, list, n } })
      }
    />
  )
  const runs = state.invoke.map(({ src }) => src)
  const facts = [
    ['Entered', visits === 0 ? 'never' : `${grouped(visits)}×`],
    ['On entry', state.entry.length === 0 ? '' : parts('entry', state.entry)],
    ['On exit', state.exit.length === 0 ? '' : parts('exit', state.exit)],
    ['Runs', runs.length === 0 ? '' : parts('invoke', runs)],
    ['History', state.history ?? ''],
  ] as const
  return (
    <>
      <SourceLink position={sourceOf({ kind: 'state', name: state.path })} />
      {state.description === undefined ? null : <p className={styles.words}>{state.description}</p>}
      <p className={styles.chips}>
        {activity.active.has(state.path) ? <Chip tone="ok">active</Chip> : null}
        {state.type === 'atomic' || state.type === 'compound' ? null : <Chip>{state.type}</Chip>}
        {state.tags.map(tag => (
          <Chip key={tag}>#{tag}</Chip>
        ))}
      </p>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </>
  )
}

interface NamesProps {
  readonly names: readonly string[]
  readonly positionOf: (name: string, n: number) => SourcePosition | undefined
}

/** Names of actions and actors, each a link to its code if that is known. */
function Names({ names, positionOf }: NamesProps) {
  return names.map((name, n) => (
    <Fragment key={`${n} ${name}`}>
      {n === 0 ? '' : ', '}
      <SourceLink position={positionOf(name, n)}>{name}</SourceLink>
    </Fragment>
  ))
}

function Transition(props: ChartCardProps & { readonly transition: NamedTransition }) {
  const { transition, chart, counts, activity, onSelect } = props
  const sourceOf = useSource(chart)
  const { event, guard, targets, actions, reenter, delay, description, name } = transition
  const position = sourceOf({ kind: 'transition', name })
  const taken = counts.transitions.get(name) ?? 0
  const rejection = activity.rejected.get(name)
  return (
    <li className={styles.transition} data-taken={activity.taken.has(name) || undefined}>
      <p className={styles.event}>
        <strong>{eventText({ event })}</strong>
        {guard === undefined ? null : (
          <span className={styles.guard}>
            {' '}
            [
            <SourceLink position={sourceOf({ kind: 'guard', name: guard, at: { transition: name } })}>
              {guard}
            </SourceLink>
            ]
          </span>
        )}
        <span className={styles.times}>{taken === 0 ? 'never' : `${grouped(taken)}×`}</span>
      </p>
      {description === undefined ? null : <p className={styles.words}>{description}</p>}
      <p className={styles.leads}>
        {targets.length === 0 ? 'stays' : null}
        {targets.map(path => (
          <button
            key={path}
            type="button"
            className={styles.target}
            onClick={() => onSelect({ kind: 'state', path }, true)}
          >
            → {path}
          </button>
        ))}
        {reenter ? <span> · reenters</span> : null}
        {delay === undefined ? null : <span> · {durationText(delay)}</span>}
        {position ? (
          <>
            {' · '}
            <SourceLink position={position} />
          </>
        ) : null}
      </p>
      {actions.length === 0 ? null : (
        <p className={styles.does}>
          does{' '}
          <Names
            names={actions}
            positionOf={(action, n) =>
              sourceOf({ kind: 'action', name: action, at: { transition: name, n } })
            }
          />
        </p>
      )}
      {rejection ? <p className={styles.rejected}>✕ {rejection.guard} returned false</p> : null}
      {isSendable(event) ? <Send {...props} /> : null}
    </li>
  )
}

function Send({ transition: { event }, actor }: ChartCardProps & { readonly transition: NamedTransition }) {
  const { renderSend } = useConsole().driver
  const [isOpen, setOpen] = useState(false)
  if (!renderSend) return null
  if (isOpen) return <>{renderSend({ actor, event, onDone: () => setOpen(false) })}</>
  return (
    <Button size="s" aria-label={`Send ${event}`} onPress={() => setOpen(true)}>
      Send …
    </Button>
  )
}
