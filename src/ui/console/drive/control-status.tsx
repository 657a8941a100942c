// One line of the toolbar that shows a pause, a changed clock and active faults, and a popover with all of them
// in full.
import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { Button, ToolButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import popover from '../../widgets/popover.module.css'
import { plural } from '../text.ts'
import parts from '../canvas/parts.module.css'
import styles from './control-status.module.css'
import type { BackendFaultsModel, Drive } from './use-drive.ts'
import { aheadText, speedText } from './format-timer.ts'

export interface ControlStatusProps {
  readonly drive: Drive
  /** Undefined unless the backend is the embedded one. */
  readonly backend: BackendFaultsModel | undefined
  /** Shows the view at which the system was paused; undefined while something else is shown. */
  readonly onShow: ((seq: number) => void) | undefined
}

/** A part of the toolbar while the system is paused, its clock is changed, or a fault is active. */
export function ControlStatus(props: ControlStatusProps) {
  const { hold } = props.drive.state
  return (
    <>
      {/* Announces pauses only, not each waiting event or fault hit. */}
      <p role="status" aria-label="Pause" className={parts.unseen}>
        {hold ? `Paused: ${hold.text}` : ''}
      </p>
      <StatusLine items={itemsOf(props)} />
    </>
  )
}

/** Shown in place of the controls of a system that cannot be controlled. */
export function Unavailable({ reason }: { readonly reason: string }) {
  const text = `This app cannot be controlled: ${reason}`
  const item: StatusItem = { key: 'unavailable', tone: 'failed', facts: [text] }
  return (
    <>
      <p role="alert" className={parts.unseen}>
        {text}
      </p>
      <StatusLine items={[item]} />
    </>
  )
}

interface StatusItem {
  readonly key: string
  readonly tone: 'held' | 'clock' | 'fault' | 'failed'
  /** Shown before the facts. */
  readonly mark?: ReactNode
  /** The most important one first: the line leaves out those that do not fit. */
  readonly facts: readonly string[]
  /** Shown in the line and in the popover. */
  readonly action?: ReactNode
  /** Shown in the popover only. */
  readonly more?: ReactNode
}

function itemsOf({ drive, backend, onShow }: ControlStatusProps): readonly StatusItem[] {
  const { control, state } = drive
  const planned = backend?.plan.faults ?? []
  return [
    ...holdItem(drive, onShow),
    ...(backend && planned.length > 0
      ? [
          {
            key: 'backend',
            tone: 'fault' as const,
            mark: <span aria-hidden>◆</span>,
            facts: [`Backend: ${planned.map(({ id }) => id).join(', ')}`],
            action: (
              <ToolButton
                icon={X}
                iconSize={12}
                label="Clear backend faults"
                onPress={() => backend.clear()}
              />
            ),
          },
        ]
      : []),
    ...state.faults.map(({ id, fault, text, hits }) => ({
      key: `fault ${id}`,
      tone: 'fault' as const,
      mark: <span aria-hidden>◆</span>,
      facts: [text, hits === 0 ? 'not hit yet' : `hit ${hits}×`],
      action: (
        <ToolButton
          icon={X}
          iconSize={12}
          label={`Clear: ${text}`}
          onPress={() => control.faults.clear(fault.kind)}
        />
      ),
    })),
    ...clockItem(drive),
  ]
}

function holdItem(
  { state: { hold, waiting } }: Drive,
  onShow: ControlStatusProps['onShow'],
): readonly StatusItem[] {
  if (!hold) return []
  const { seq, text } = hold
  const next = waiting[0]?.event.type
  return [
    {
      key: 'hold',
      tone: 'held',
      mark: <strong>PAUSED</strong>,
      facts: [
        text,
        waiting.length === 0 ? 'queue empty' : `${plural(waiting.length, 'event')} waiting`,
        ...(next === undefined ? [] : [`next ${next}`]),
      ],
      ...(seq !== undefined &&
        onShow && {
          more: (
            <Button size="s" onPress={() => onShow(seq)}>
              Show event #{seq}
            </Button>
          ),
        }),
    },
  ]
}

/** While paused, the clock stands, so how far it is behind keeps changing. */
function clockItem({ control, state: { hold, speed, ahead } }: Drive): readonly StatusItem[] {
  const offset = hold ? '' : aheadText(ahead)
  if (speed === 1 && offset === '') return []
  return [
    {
      key: 'clock',
      tone: 'clock',
      facts: [`Client clock ${[speed === 1 ? '' : speedText(speed), offset].filter(Boolean).join(', ')}`],
      action: (
        <Button size="s" variant="quiet" onPress={() => control.time.toReal()}>
          Sync
        </Button>
      ),
    },
  ]
}

/** The first item; what does not fit, and the other items, are in the popover. */
function StatusLine({ items }: { readonly items: readonly StatusItem[] }) {
  const [first, ...others] = items
  if (!first) return null
  return (
    <div className={styles.line} role="group" aria-label="Control status" data-tone={first.tone}>
      <Facts item={first} />
      {first.action}
      <DialogTrigger>
        <AriaButton
          className={cx(styles.more)}
          aria-label={others.length === 0 ? 'Full control status' : `Control status: ${others.length} more`}
        >
          {others.length === 0 ? null : `+${others.length}`}
          <ChevronDown size={12} aria-hidden />
        </AriaButton>
        <Popover placement="bottom end" className={cx(popover.popover, styles.popover)}>
          <Dialog aria-label="Control status" className={cx(styles.dialog)}>
            <ul className={styles.items}>
              {items.map(item => (
                <li key={item.key} className={styles.item} data-tone={item.tone}>
                  <span className={styles.full}>
                    {item.mark}
                    {item.facts.join(' · ')}
                  </span>
                  {item.more}
                  {item.action}
                </li>
              ))}
            </ul>
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  )
}

function Facts({ item: { mark, facts } }: { readonly item: StatusItem }) {
  return (
    <span className={styles.summary} title={facts.join(' · ')}>
      {mark}
      <span className={styles.facts}>
        {facts.map((fact, at) => (
          <span key={at} className={styles.fact}>
            {fact}
          </span>
        ))}
      </span>
    </span>
  )
}
