// A panel group that stores its sizes for each set of panels.
import { useLayoutEffect, type ReactNode } from 'react'
import { Group, useGroupRef } from 'react-resizable-panels'
import styles from '../console.module.css'
import { storedSizes, storeSizes } from '../stored-layout.ts'

export interface SizedProps {
  /** Name of the current set of panels. */
  readonly name: string
  readonly orientation: 'horizontal' | 'vertical'
  /** Changes when stored sizes change. */
  readonly version: number
  readonly children: ReactNode
}

export function Sized({ name, orientation, version, children }: SizedProps) {
  const group = useGroupRef()
  useLayoutEffect(() => {
    const sizes = storedSizes(name)
    if (sizes) group.current?.setLayout(sizes)
  }, [group, name, version])
  return (
    <Group
      groupRef={group}
      orientation={orientation}
      defaultLayout={storedSizes(name)}
      onLayoutChanged={(sizes, { isUserInteraction }) => {
        if (isUserInteraction) storeSizes(name, sizes)
      }}
      className={styles.group}
    >
      {children}
    </Group>
  )
}
