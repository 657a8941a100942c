// The design tokens as colors for a canvas; read again when the theme changes.
import { useSyncExternalStore } from 'react'
import { FAMILIES, type Family } from '../../../trace/index.ts'

const TOKENS = [
  'bg',
  'surface',
  'raised',
  'line',
  'line-soft',
  'ink',
  'ink-2',
  'ink-3',
  'accent',
  'accent-soft',
  'ok',
  'pending',
  'fail',
  'stale',
  'inject',
  'fill-pending',
  'fill-stale',
] as const
type Token = (typeof TOKENS)[number]

/** Resolved colors. The same theme returns the same object. */
export interface Palette {
  readonly of: Readonly<Record<Token, string>>
  readonly family: Readonly<Record<Family, string>>
  /** Families by index. */
  readonly families: readonly string[]
  readonly font: string
  readonly mono: string
}

let held: Palette | undefined

/** Returns the palette of the current theme. */
export function usePalette(): Palette {
  return useSyncExternalStore(subscribe, () => (held ??= readPalette()))
}

const QUERIES = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']

function subscribe(listener: () => void): () => void {
  const renew = () => {
    held = undefined
    listener()
  }
  // The theme may have changed while no component was subscribed.
  held = undefined
  const root = new MutationObserver(renew)
  root.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'class', 'style'],
  })
  const media = QUERIES.map(query => matchMedia(query))
  for (const query of media) query.addEventListener('change', renew)
  return () => {
    root.disconnect()
    for (const query of media) query.removeEventListener('change', renew)
  }
}

/**
 * A custom property returns its source text, including `light-dark(…)`; only an element that uses it has the
 * resolved color.
 */
function readPalette(): Palette {
  const probe = document.createElement('span')
  probe.style.display = 'none'
  probe.style.forcedColorAdjust = 'none'
  document.body.append(probe)
  const resolve = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const root = getComputedStyle(document.documentElement)
  const families = FAMILIES.map(family => [family, resolve(`fam-${family}`)] as const)
  const palette: Palette = {
    of: Object.fromEntries(TOKENS.map(token => [token, resolve(token)])) as Record<Token, string>,
    family: Object.fromEntries(families) as Record<Family, string>,
    families: families.map(([, color]) => color),
    font: root.getPropertyValue('--font') || 'sans-serif',
    mono: root.getPropertyValue('--mono') || 'monospace',
  }
  probe.remove()
  return palette
}
