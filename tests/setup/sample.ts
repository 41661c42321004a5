import { beforeEach } from 'vitest'
import { isInSample } from '../support/sample.ts'
import { nightly } from '../support/size.ts'

/** At night everything runs; at every change a sample of what stands in a matrix. */
beforeEach(({ task, skip }) => {
  if (!nightly && !isInSample(task.file.filepath, task.name)) skip('runs at night')
})
