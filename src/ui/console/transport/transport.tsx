// Transport controls: step event by event, play at any speed, and go to failures.
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { memo, useMemo } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { IconButton, ToolButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import type { Command } from '../place-commands.ts'
import { type ConsoleState, isPlaying } from '../model/console-machine.ts'
import { useConsole, useConsoleState } from '../use-console.ts'
import { SPEEDS } from './playback.ts'
import styles from './transport.module.css'
import { countUpToNumber } from '../../../trace/index.ts'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'

export function Transport() {
  const { filter, machine, run, trace, selection } = useConsole()
  const plays = useConsoleState(isPlaying)
  const speed = useConsoleState(speedOf)
  const { setSpeed } = machine
  useTransportCommands()
  const pauses = plays || (trace.live && selection.following)
  return <Buttons {...{ plays, pauses, speed, setSpeed, run }} empty={filter.length === 0} />
}

const speedOf = ({ context }: ConsoleState): number => context.speed

interface ButtonsProps {
  readonly plays: boolean
  readonly speed: number
  readonly setSpeed: (speed: number) => void
  readonly empty: boolean
  /** Whether the middle button stops. */
  readonly pauses: boolean
  readonly run: (command: Command) => void
}

/** The same in every step, so that stepping does not rerender it. */
const Buttons = memo(function Buttons({ plays, pauses, speed, setSpeed, run, empty }: ButtonsProps) {
  return (
    <>
      <ToolButton
        icon={ChevronLeft}
        iconSize={15}
        label="Previous event"
        shortcut="K"
        isDisabled={empty}
        onPress={() => run('previous')}
      />
      <IconButton
        size="s"
        label={plays ? 'Stop playing' : pauses ? 'Pause at this moment' : 'Play from here'}
        shortcut="Space"
        isDisabled={empty}
        onPress={() => run('play')}
      >
        {pauses ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </IconButton>
      <ToolButton
        icon={ChevronRight}
        iconSize={15}
        label="Next event"
        shortcut="J"
        isDisabled={empty}
        onPress={() => run('next')}
      />
      <MenuTrigger>
        <AriaButton aria-label={`Playback speed: ${speed}×`} className={cx(styles.speed)}>
          {speed}×
        </AriaButton>
        <Popover placement="bottom start" className={cx(menu.menu)}>
          <Menu
            aria-label="Playback speed"
            className={cx(menu.items)}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[String(speed)]}
            onAction={key => setSpeed(Number(key))}
          >
            {SPEEDS.map(option => (
              <MenuItem
                key={option}
                id={String(option)}
                textValue={`${option}×`}
                className={cx(menu.item, menu.marked)}
              >
                {option}×
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </>
  )
})

/** Registered while the transport is mounted. */
function useTransportCommands(): void {
  const { timeline, size, selection, machine, pick } = useConsole()
  const { at } = selection
  const speed = useConsoleState(speedOf)
  const { setSpeed } = machine
  // The list of failures stays the same object as it grows; only the first one makes a difference.
  const hasFailures = size > 0 && timeline.failures.length > 0
  const failures = hasFailures ? timeline.failures : NONE
  const speeds = useMemo(() => speedCommands(speed, setSpeed), [speed, setSpeed])
  const jumps = useMemo(() => jumpCommands(failures, at, pick), [failures, at, pick])
  useCommands(useMemo(() => [...speeds, ...jumps], [speeds, jumps]))
}

const NONE: readonly number[] = []

function speedCommands(speed: number, setSpeed: (speed: number) => void): readonly ConsoleCommand[] {
  const step = (by: 1 | -1): ConsoleCommand => {
    const next = nextSpeed(speed, by)
    return {
      id: by > 0 ? 'play.faster' : 'play.slower',
      title: by > 0 ? 'Play faster' : 'Play slower',
      section: 'Time',
      keys: [by > 0 ? '>' : '<'],
      words: 'speed',
      ...(next === speed && { disabled: `${by > 0 ? 'Maximum' : 'Minimum'} speed reached` }),
      run: () => setSpeed(next),
    }
  }
  return [
    step(1),
    step(-1),
    ...SPEEDS.map(option => ({
      id: `play.speed.${option}`,
      title: `Play at ${option} times speed`,
      section: 'Time' as const,
      words: `${option}x`,
      run: () => setSpeed(option),
    })),
  ]
}

/** Returns the next available speed; the same at both ends. */
export function nextSpeed(speed: number, by: 1 | -1): number {
  const at = SPEEDS.findIndex(option => option === speed)
  return SPEEDS[Math.min(Math.max(0, at + by), SPEEDS.length - 1)] ?? speed
}

function jumpCommands(
  failures: readonly number[],
  at: number,
  pick: (seq: number) => void,
): readonly ConsoleCommand[] {
  const none = failures.length === 0 ? { disabled: 'No event failed' } : {}
  const shared = { section: 'Move', words: 'error jump', ...none } as const
  return [
    {
      id: 'failure.next',
      title: 'Next failure',
      keys: ['U'],
      ...shared,
      run: () => pick(neighborOf(failures, at, 1)),
    },
    {
      id: 'failure.previous',
      title: 'Previous failure',
      keys: ['Shift+U'],
      ...shared,
      run: () => pick(neighborOf(failures, at, -1)),
    },
  ]
}

/** Returns the next or previous number relative to a moment, wrapping around; -1 if there are none. */
export function neighborOf(seqs: readonly number[], at: number, by: 1 | -1): number {
  const after = countUpToNumber(seqs, at)
  const next = by > 0 ? seqs[after] : seqs[countUpToNumber(seqs, at - 1) - 1]
  return next ?? (by > 0 ? seqs[0] : seqs.at(-1)) ?? -1
}
