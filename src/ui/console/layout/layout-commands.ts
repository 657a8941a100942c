// Commands for panes and layout presets.
import type { ConsoleCommand } from '../commands/command.ts'
import {
  BIGS,
  PRESETS,
  shownIn,
  withBig,
  withPane,
  type Big,
  type FrameLayout,
  type Pane,
} from '../model/frame-layout.ts'
import type { Layout } from '../model/place.ts'

export const PANE_NAMES: Readonly<Record<Big, string>> = {
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

export function layoutCommands(
  { frame }: Pick<Layout, 'frame'>,
  change: (layout: Partial<Layout>) => void,
): readonly ConsoleCommand[] {
  const section = 'Layout'
  const set = (next: FrameLayout) => change({ frame: next })
  const shown = shownIn(frame)
  const panes = (['tree', 'event', 'log'] as const).map(pane => {
    const isShown = shown.has(pane)
    return {
      id: `layout.${pane}`,
      title: `${isShown ? 'Hide' : 'Show'} the ${PANE_NAMES[pane]}`,
      section,
      keys: [KEYS[pane] ?? ''],
      words: 'pane panel',
      run: () => set(withPane(frame, pane, !isShown)),
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
