// Transport controls: step event by event, or play at any speed.
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { memo } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import type { Command } from '../place-commands.ts'
import { useConsole } from '../use-console.ts'
import { SPEEDS } from './playback.ts'
import styles from './transport.module.css'
import type { Playing } from './use-playing.ts'
import { useTransportCommands } from './use-transport-commands.ts'

export function Transport() {
  const { filter, playing, run, trace, selection } = useConsole()
  const { isPlaying, speed, setSpeed } = playing
  useTransportCommands()
  const pauses = isPlaying || (trace.live && selection.following)
  return <Buttons {...{ isPlaying, pauses, speed, setSpeed, run }} empty={filter.length === 0} />
}

interface ButtonsProps extends Pick<Playing, 'isPlaying' | 'speed' | 'setSpeed'> {
  readonly empty: boolean
  /** Whether the middle button stops. */
  readonly pauses: boolean
  readonly run: (command: Command) => void
}

/** The same in every step, so that stepping does not rerender it. */
const Buttons = memo(function Buttons({ isPlaying, pauses, speed, setSpeed, run, empty }: ButtonsProps) {
  return (
    <>
      <IconButton
        size="s"
        label="Previous event"
        shortcut="K"
        isDisabled={empty}
        onPress={() => run('previous')}
      >
        <ChevronLeft size={15} aria-hidden />
      </IconButton>
      <IconButton
        size="s"
        label={isPlaying ? 'Stop playing' : pauses ? 'Pause at this moment' : 'Play from here'}
        shortcut="Space"
        isDisabled={empty}
        onPress={() => run('play')}
      >
        {pauses ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </IconButton>
      <IconButton size="s" label="Next event" shortcut="J" isDisabled={empty} onPress={() => run('next')}>
        <ChevronRight size={15} aria-hidden />
      </IconButton>
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
