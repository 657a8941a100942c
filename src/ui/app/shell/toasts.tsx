// Position and style of notices: below the sections, never over rows or buttons.
import type { CSSProperties } from 'react'
import { Toaster } from 'sonner'
import type { Theme } from '../theme.ts'
import { ownNoticeFocus } from './notice-focus.ts'
import styles from './notices.module.css'

/** The area below the sections is unused; the console stays uncovered as well. */
const BESIDE = { left: 8, bottom: 'calc(var(--under, 0px) + 10px)' }
/** In narrow windows the sections, the tour and the bars of a page are at the bottom and stay reachable. */
const ABOVE_SECTIONS = {
  left: 8,
  right: 8,
  bottom: 'calc(var(--under, 0px) + var(--tour, 0px) + var(--bars, 0px) + 62px)',
}

const LOOK = {
  '--width': '192px',
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  fontFamily: 'inherit',
} as CSSProperties

/** The action is below the text: next to the text, a narrow notice would break every word. */
const STACKED = { flexWrap: 'wrap', overflowWrap: 'anywhere' } as const satisfies CSSProperties
const BELOW = { marginLeft: 'auto' } as const satisfies CSSProperties

/** For the whole app, connected or not. */
export function Toasts({ theme }: { readonly theme: Theme }) {
  return (
    <Toaster
      ref={ownNoticeFocus}
      theme={theme}
      position="bottom-left"
      offset={BESIDE}
      mobileOffset={ABOVE_SECTIONS}
      closeButton
      visibleToasts={4}
      gap={8}
      style={LOOK}
      toastOptions={{ classNames: { toast: styles.toast ?? '' }, style: STACKED, actionButtonStyle: BELOW }}
    />
  )
}
