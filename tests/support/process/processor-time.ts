/**
 * Milliseconds of processor time that `work` takes on this thread. Unlike clock time it stays the same beside other processes, so a
 * bound on it holds on a busy machine.
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
