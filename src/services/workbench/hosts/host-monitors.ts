// Maps each client to its host monitor.
import type { HostMonitor } from './host-monitor.ts'

const monitors = new WeakMap<object, HostMonitor>()

/** A monitor lives as long as its client. */
export const keepHostMonitor = (client: object, monitor: HostMonitor): void =>
  void monitors.set(client, monitor)

/** Undefined for clients that the app did not create, such as in tests. */
export const hostMonitorOf = (client: object): HostMonitor | undefined => monitors.get(client)
