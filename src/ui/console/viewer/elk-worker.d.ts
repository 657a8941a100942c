// ELK's worker module, which outside of a worker exports a class with the same messages.
declare module 'elkjs/lib/elk-worker.min.js' {
  class ElkWorker {
    postMessage(message: unknown, transfer: readonly []): void
  }
  const elk: { readonly Worker: typeof ElkWorker }
  export default elk
}
