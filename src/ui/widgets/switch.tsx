// An on-off switch.
import type { ReactNode } from 'react'
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './switch.module.css'

export interface SwitchProps extends Omit<AriaSwitchProps, 'className' | 'children' | 'style'> {
  readonly children: ReactNode
}

/** A switch with its text beside it. */
export function Switch({ children, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} className={cx(styles.switch)}>
      <span className={styles.track} aria-hidden />
      {children}
    </AriaSwitch>
  )
}
