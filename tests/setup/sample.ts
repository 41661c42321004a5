import { beforeEach, type RunnerTask, type RunnerTestFile } from 'vitest'
import { drawnRows, inMatrix } from '../support/sample.ts'
import { samples } from '../support/size.ts'

/** Of each file's rows of a matrix `npm test` runs one in ten, one at least. */
beforeEach(({ task, skip }) => {
  if (samples && inMatrix(task.file.filepath, task.name) && !drawnOf(task.file).has(task.id)) skip('runs at night')
})

const drawn = new WeakMap<RunnerTestFile, ReadonlySet<string>>()

function drawnOf(file: RunnerTestFile): ReadonlySet<string> {
  const known = drawn.get(file)
  if (known) return known
  const rows = testsIn(file.tasks).filter(({ name }) => inMatrix(file.filepath, name))
  const ids = new Set(drawnRows(rows).map(({ id }) => id))
  drawn.set(file, ids)
  return ids
}

const testsIn = (tasks: readonly RunnerTask[]): RunnerTask[] =>
  tasks.flatMap((task) => ('tasks' in task ? testsIn(task.tasks) : [task]))
