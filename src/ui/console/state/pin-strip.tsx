// Pinned values above the inspector, with their history and links to their changes.
import { countUpToNumber } from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'
import { pinOf, type Pin } from '../model/place.ts'
import styles from './pins.module.css'
import { ChevronLeft, ChevronRight, History, PinOff } from 'lucide-react'
import { useEffect } from 'react'
import { ToolButton } from '../../widgets/button.tsx'
import { clockTime, count } from '../text.ts'
import { useHistory } from './change-history.ts'
import { dotted } from './state-path.ts'

export function PinStrip({ onWhen }: { readonly onWhen: (actor: number, pointer: string) => void }) {
  const { place, timeline, go } = useConsole()
  if (place.pins.length === 0) return null
  return (
    <ul className={styles.strip} aria-label="Pinned values">
      {place.pins.map(text => {
        const pin = pinOf(text)
        const entry = pin && timeline.actors.findLast(({ path }) => path === pin.actor)
        const unpin = () => go({ type: 'pin', pin: text, isPinned: false })
        return pin ? (
          <PinRow key={text} pin={pin} actor={entry?.index ?? -1} onUnpin={unpin} onWhen={onWhen} />
        ) : null
      })}
    </ul>
  )
}

/** Number of latest changes drawn. */
const DRAWN = 40

interface PinRowProps {
  readonly pin: Pin
  /** -1 if the trace does not contain it. */
  readonly actor: number
  readonly onUnpin: () => void
  readonly onWhen: (actor: number, pointer: string) => void
}

function PinRow({ pin, actor, onUnpin, onWhen }: PinRowProps) {
  const { timeline, selection, pick } = useConsole()
  const { history, renew } = useHistory(actor, pin.path)
  const own = timeline.lastOf(actor, selection.at)
  const upTo = countUpToNumber(history.seqs, own)
  const drawn = own < 0 ? [] : history.seqs.slice(Math.max(0, upTo - DRAWN), upTo)
  const last = drawn.at(-1)
  useEffect(() => {
    void history.want([own, ...drawn], renew)
  })
  const [before, after] = [history.seqs[upTo - (last === own ? 2 : 1)], history.seqs[upTo]]
  const name = `${pin.actor.slice(pin.actor.lastIndexOf('/') + 1)} ${dotted(pin.path).replace(/^context\./, '')}`
  const value = history.preview(own)
  const points = drawn.flatMap(seq => {
    const number = history.preview(seq)?.number
    return number === undefined ? [] : [{ t: timeline.t(seq), value: number }]
  })
  const earlier = drawn.slice(-3, -1).map(seq => history.preview(seq)?.text ?? '…')
  return (
    <li className={styles.pin}>
      <span className={styles.name} title={`${pin.actor} ${dotted(pin.path)}`}>
        <bdi>{name}</bdi>
      </span>
      <span className={styles.controls}>
        <Go label={`${name}: previous change`} seq={before} onPick={pick} isBack />
        <Go label={`${name}: next change`} seq={after} onPick={pick} />
        <ToolButton
          icon={History}
          iconSize={12}
          noTooltip
          label={`History of ${name}`}
          onPress={() => onWhen(actor, pin.path)}
        />
        <ToolButton icon={PinOff} iconSize={12} noTooltip label={`Unpin ${name}`} onPress={onUnpin} />
      </span>
      <span className={styles.value} title={value?.text}>
        {actor < 0 || own < 0
          ? 'not started'
          : value === undefined
            ? '…'
            : value.text === ''
              ? 'none'
              : value.text}
      </span>
      {points.length > 1 ? (
        <Sparkline points={points} until={timeline.t(selection.at)} />
      ) : (
        <Earlier texts={earlier} />
      )}
      <span className={styles.last}>
        {last === undefined ? '' : `#${count(last)} · ${clockTime(timeline.t(last))}`}
        {history.share < 1 ? ` · ${Math.floor(history.share * 100)} %` : ''}
      </span>
    </li>
  )
}

/** Earlier values, as space permits. */
function Earlier({ texts }: { readonly texts: readonly string[] }) {
  return (
    <span className={styles.earlier}>{texts.length === 0 ? '' : `← ${texts.toReversed().join(' ← ')}`}</span>
  )
}

interface GoProps {
  readonly label: string
  readonly seq: number | undefined
  readonly onPick: (seq: number) => void
  readonly isBack?: boolean
}

function Go({ label, seq, onPick, isBack = false }: GoProps) {
  const Icon = isBack ? ChevronLeft : ChevronRight
  return (
    <ToolButton
      icon={Icon}
      iconSize={12}
      noTooltip
      label={label}
      isDisabled={seq === undefined}
      onPress={() => seq !== undefined && onPick(seq)}
    />
  )
}

const [WIDTH, HEIGHT, EDGE] = [84, 16, 2]

interface SparklineProps {
  readonly points: readonly { readonly t: number; readonly value: number }[]
  /** End of the last value. */
  readonly until: number
}

/** Decorative: the value and its history are also available as text. */
function Sparkline({ points, until }: SparklineProps) {
  return (
    <svg className={styles.spark} width={WIDTH} height={HEIGHT} aria-hidden>
      <path d={stepsPath(points, until)} />
    </svg>
  )
}

/** Returns the SVG path of the line: each value lasts until the next. */
export function stepsPath(points: SparklineProps['points'], until: number): string {
  const [first] = points
  if (!first) return ''
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const length = Math.max(1, until - first.t)
  const x = (t: number) => EDGE + ((t - first.t) / length) * (WIDTH - 2 * EDGE)
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE)
  const steps = points.slice(1).map(({ t, value }) => `H${round(x(t))}V${round(y(value))}`)
  return `M${round(x(first.t))} ${round(y(first.value))}${steps.join('')}H${round(x(until))}`
}

const round = (at: number): number => Math.round(at * 10) / 10
