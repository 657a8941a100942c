// The project of the embedded backend, for the parts that show it.
import { useSyncExternalStore } from 'react'
import {
  projectStoreOf,
  type ProjectStore,
  type ProjectView,
} from '../../../services/workbench/project/index.ts'

/** Follows the project while the component is mounted. */
export function useProject(path: string): ProjectView & { readonly store: ProjectStore } {
  const store = projectStoreOf(path)
  const view = useSyncExternalStore(store.subscribe, store.view)
  return { ...view, store }
}
