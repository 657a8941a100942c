// A group of panels that remembers its sizes, for each set of panels that it can hold.
import { createContext, useContext, useLayoutEffect, type ReactNode } from 'react'
import { Group, useGroupRef } from 'react-resizable-panels'
import styles from '../console.module.css'
import { storedSizes, storeSizes } from '../stored-layout.ts'

const NameContext = createContext('')

/** What the panels are called that stand beside each other where this is. */
export const useGroupName = (): string => useContext(NameContext)

export interface SizedProps {
  /** Of the set of panels that is in it now. */
  readonly name: string
  readonly orientation: 'horizontal' | 'vertical'
  /** Becomes another when the stored sizes became others. */
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
      <NameContext value={name}>{children}</NameContext>
    </Group>
  )
}
