// Position and style of notices: below the sections, which leave room for them, never over rows or buttons.
import type { CSSProperties } from 'react'
import { Toaster } from 'sonner'
import type { Theme } from '../theme.ts'
import { ownNoticeFocus } from './notice-focus.ts'
import { NOTICE_GAP, reportNotices } from './report-notices.ts'
import styles from './notices.module.css'

/** Below the sections in a wide window, above them in a narrow one; never over the tour or a page's bars. */
const BOTTOM = 'var(--notices-bottom)'
const OFFSET = { left: 8, bottom: BOTTOM }
const NARROW_OFFSET = { left: 8, right: 8, bottom: BOTTOM }

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

function ownNotices(region: HTMLElement | null): () => void {
  const stops = [ownNoticeFocus(region), reportNotices(region)]
  return () => stops.forEach(stop => stop?.())
}

/** For the whole app, connected or not. */
export function Toasts({ theme }: { readonly theme: Theme }) {
  return (
    <Toaster
      ref={ownNotices}
      theme={theme}
      position="bottom-left"
      className={styles.notices ?? ''}
      offset={OFFSET}
      mobileOffset={NARROW_OFFSET}
      closeButton
      visibleToasts={4}
      gap={NOTICE_GAP}
      style={LOOK}
      toastOptions={{ classNames: { toast: styles.toast ?? '' }, style: STACKED, actionButtonStyle: BELOW }}
    />
  )
}
