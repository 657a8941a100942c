// The layout menu in the toolbar, and the commands for panes and presets.
import { ChevronDown } from 'lucide-react'
import { memo, useCallback, useLayoutEffect, useRef } from 'react'
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import {
  PANES,
  PRESETS,
  presetOf,
  withPane,
  type FrameLayout,
  type Pane,
  BIGS,
  shownIn,
  withBig,
  type Big,
} from '../model/frame-layout.ts'
import { useConsole } from '../use-console.ts'
import styles from './layout.module.css'
import type { SavedViews } from './use-saved-views.ts'
import type { ConsoleCommand } from '../commands/use-commands.ts'
import type { Drawers } from './use-drawers.ts'
import type { Layout } from '../model/place.ts'

export interface LayoutMenuProps {
  readonly saved: SavedViews
  readonly hasDrive: boolean
  /** Opens the list of saved layouts. */
  readonly onManage: () => void
}

export function LayoutMenu({ saved, hasDrive, onManage }: LayoutMenuProps) {
  const { place, go } = useConsole()
  const { frame } = place.layout
  const { current, list, apply } = saved
  const preset = presetOf(frame)
  const name = current?.name ?? preset?.title ?? 'Custom layout'
  const change = (layout: Partial<typeof place.layout>) => go({ type: 'layout', layout })
  const act = (key: string) => {
    const chosen = PRESETS.find(({ id }) => key === `preset:${id}`)
    const view = list.find(one => key === `view:${one.name}`)
    if (chosen) change({ frame: chosen.frame, ...(chosen.center && { center: chosen.center }) })
    else if (view) apply(view)
    else if (key === 'manage') onManage()
    else {
      const pane = PANES.find(one => key === `pane:${one}`)
      if (pane) change({ frame: withPane(frame, pane, !frame.panes.includes(pane)) })
    }
  }
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  const onAct = useCallback((key: string) => latest.current(key), [])
  const chosen = current ? `view:${current.name}` : `preset:${preset?.id}`
  return <LayoutChoices {...{ name, chosen, frame, list, hasDrive, onAct }} />
}

interface ChoicesProps extends Pick<LayoutMenuProps, 'hasDrive'>, Pick<SavedViews, 'list'> {
  readonly name: string
  readonly chosen: string
  readonly frame: FrameLayout
  readonly onAct: (key: string) => void
}

/** The same in every step, so that stepping does not rerender it. */
const LayoutChoices = memo(function LayoutChoices(props: ChoicesProps) {
  const { name, chosen, frame, list, hasDrive, onAct } = props
  const panes: readonly Pane[] = hasDrive ? PANES : PANES.filter(pane => pane !== 'drive')
  return (
    <MenuTrigger>
      <AriaButton className={cx(styles.trigger)} aria-label={`Layout: ${name}`}>
        <span className={styles.name}>{name}</span>
        <ChevronDown size={12} aria-hidden />
      </AriaButton>
      <Popover placement="bottom end" className={cx(menu.menu)}>
        <Menu aria-label="Layout" className={cx(menu.items)} onAction={key => onAct(String(key))}>
          <MenuSection selectionMode="single" selectedKeys={[chosen]}>
            <Header className={menu.heading}>Layout</Header>
            {PRESETS.map(({ id, title, text }) => (
              <MenuItem key={id} id={`preset:${id}`} textValue={title} className={cx(menu.item, menu.marked)}>
                {title} <span className={menu.text}>{text}</span>
              </MenuItem>
            ))}
            {list.map(view => (
              <MenuItem
                key={`view ${view.name}`}
                id={`view:${view.name}`}
                textValue={view.name}
                className={cx(menu.item, menu.marked)}
              >
                {view.name} <span className={menu.text}>saved</span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className={cx(menu.line)} />
          <MenuSection selectionMode="multiple" selectedKeys={frame.panes.map(pane => `pane:${pane}`)}>
            <Header className={menu.heading}>Shown</Header>
            {panes.map(pane => (
              <MenuItem key={pane} id={`pane:${pane}`} className={cx(menu.item, menu.marked)}>
                {capital(PANE_NAMES[pane])}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className={cx(menu.line)} />
          <MenuItem id="manage" className={cx(menu.item, menu.marked)}>
            Save or edit layouts…
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
})

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const PANE_NAMES: Readonly<Record<Big, string>> = {
  center: 'middle',
  tree: 'actors',
  event: 'selected event',
  log: 'log',
  drive: 'control panel',
}

const KEYS: Readonly<Partial<Record<Pane, string>>> = { tree: 'T', event: 'E', log: 'Shift+L' }

/** Returns the pane with the focus; the middle by default. */
function focusedPane(focused: Element | null): Big {
  const name = focused?.closest('[data-pane]')?.getAttribute('data-pane')
  return BIGS.find(big => big === name) ?? 'center'
}

const NO_DRAWERS: Drawers = { list: [], open: undefined, toggle: () => undefined }

export function layoutCommands(
  { frame }: Pick<Layout, 'frame'>,
  change: (layout: Partial<Layout>) => void,
  drawers: Drawers = NO_DRAWERS,
): readonly ConsoleCommand[] {
  const section = 'Layout'
  const set = (next: FrameLayout) => change({ frame: next })
  const shown = shownIn(frame)
  const panes = (['tree', 'event', 'log'] as const).map(pane => {
    const isDrawer = drawers.list.includes(pane)
    const isShown = isDrawer ? drawers.open === pane : shown.has(pane)
    return {
      id: `layout.${pane}`,
      title: `${isShown ? 'Hide' : 'Show'} the ${PANE_NAMES[pane]}`,
      section,
      keys: [KEYS[pane] ?? ''],
      words: 'pane panel',
      run: () => (isDrawer ? drawers.toggle(pane) : set(withPane(frame, pane, !isShown))),
    } as const
  })
  const presets = PRESETS.map(({ id, title, text, frame: wanted, center }) => ({
    id: `layout.${id}`,
    title: `Layout: ${title}`,
    section: 'Layout' as const,
    words: `preset ${text}`,
    run: () => change({ frame: wanted, ...(center !== undefined && { center }) }),
  }))
  return [
    ...presets,
    ...panes,
    {
      id: 'layout.big',
      title: frame.big === undefined ? 'Maximize the focused pane' : 'Restore all panes',
      section,
      keys: ['Z'],
      words: 'maximise full large zoom',
      run: () =>
        set(
          frame.big === undefined
            ? withBig(frame, focusedPane(document.activeElement))
            : withBig(frame, frame.big),
        ),
    },
    ...(['auto', 'below', 'beside'] as const)
      .filter(place => place !== frame.logAt)
      .map(logAt => ({
        id: `layout.log.${logAt}`,
        title: { auto: 'Log: automatic position', below: 'Log: below', beside: 'Log: beside' }[logAt],
        section: 'Layout' as const,
        words: 'place position',
        run: () => set({ ...withPane(frame, 'log', true), logAt }),
      })),
  ]
}
