import { expect, it } from 'vitest'
import { heapKeeper } from './heap-collector.ts'

const mb = 1e6

/** Simulates a heap with that many live bytes, checked after each growth. */
function aHeap(living: number) {
  const heap = { used: living * mb, living: living * mb, collected: 0 }
  const look = heapKeeper({
    usedBytes: () => heap.used,
    collect() {
      heap.used = heap.living
      heap.collected += 1
    },
  })
  const grow = (by: number) => {
    heap.used += by * mb
    look()
    return heap.collected
  }
  return { heap, grow }
}

it('a heap is collected once it has grown by what is allowed, and counted anew from what is left', () => {
  const { grow } = aHeap(30)
  expect([grow(20), grow(6), grow(1)]).toEqual([0, 0, 1])
  expect([grow(26), grow(1)]).toEqual([1, 2])
})

it('what V8 has collected by itself counts as well', () => {
  const { heap, grow } = aHeap(30)
  grow(20)
  heap.used = 28 * mb
  expect([grow(0), grow(26), grow(1)]).toEqual([0, 0, 1])
})

it('a shop whose own memory is large is collected no oftener for that', () => {
  const { grow } = aHeap(100)
  expect([grow(74), grow(2)]).toEqual([0, 1])
})

it('what lives and grows is no garbage: after it was collected in vain, as much again is allowed', () => {
  const { heap, grow } = aHeap(30)
  heap.living = 57 * mb
  expect([grow(27), grow(26), grow(17)]).toEqual([1, 1, 2])
})
