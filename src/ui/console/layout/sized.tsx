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

type Sizes = Readonly<Record<string, number>>

/** A group throws for sizes of other panels than those registered, and new panels register one after another. */
const areOfSamePanels = (sizes: Sizes, others: Sizes): boolean =>
  Object.keys(sizes).length === Object.keys(others).length && Object.keys(sizes).every(id => id in others)

export function Sized({ name, orientation, version, children }: SizedProps) {
  const group = useGroupRef()
  useLayoutEffect(() => {
    const sizes = storedSizes(name)
    // Once all have registered, the group begins with its default layout, which is the stored one.
    if (sizes && areOfSamePanels(sizes, group.current?.getLayout() ?? {})) group.current?.setLayout(sizes)
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
