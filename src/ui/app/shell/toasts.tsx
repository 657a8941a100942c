// Where notices are shown: beside the work, under the sections, never over rows and buttons.
import type { CSSProperties } from 'react'
import { Toaster } from 'sonner'
import type { Theme } from '../theme.ts'

/** Under the sections there is room that nobody works in; what lies under the work (the console) stays free as well. */
const BESIDE = { left: 8, bottom: 'calc(var(--under, 0px) + 10px)' }
/** Where it is narrow the sections are at the bottom, and stay in reach. */
const ABOVE_SECTIONS = { left: 8, right: 8, bottom: 'calc(var(--under, 0px) + 62px)' }

const LOOK = {
  '--width': '192px',
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  fontFamily: 'inherit',
} as CSSProperties

/** For the whole app, connected or not. */
export function Toasts({ theme }: { readonly theme: Theme }) {
  return (
    <Toaster
      theme={theme}
      position="bottom-left"
      offset={BESIDE}
      mobileOffset={ABOVE_SECTIONS}
      closeButton
      visibleToasts={4}
      gap={8}
      style={LOOK}
    />
  )
}
