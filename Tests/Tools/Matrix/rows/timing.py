"""Operators of time."""

from row import *

row(
    "audit(_:scheduler:)", "a.audit(.seconds(1), scheduler: scheduler)", received(1), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); a.onNext(make(1)); scheduler.advance(by: 3)")
row(
    "debounce(_:scheduler:)", "a.debounce(.seconds(1), scheduler: scheduler)", emits(1, 2), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); a.onNext(make(1)); scheduler.advance(by: 3); a.onNext(make(2)); a.onCompleted()")
row(
    "throttle(_:latest:scheduler:)", "a.throttle(.seconds(1), scheduler: scheduler)", received(0, 2), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); a.onNext(make(1)); a.onNext(make(2)); scheduler.advance(by: 3)")
row(
    "throttle(_:latest:scheduler:)", "a.throttle(.seconds(1), latest: false, scheduler: scheduler)", received(0), before=SUBJECT_AND_CLOCK,
    after="a.onNext(make(0)); a.onNext(make(1)); a.onNext(make(2)); scheduler.advance(by: 3)")
row("delay(_:scheduler:)", "SOURCE(3).delay(.seconds(1), scheduler: scheduler)", emits(0, 1, 2), before=CLOCK, after="scheduler.advance(by: 9)")
row(
    "delaySubscription(_:scheduler:)", "SOURCE(3).delaySubscription(.seconds(1), scheduler: scheduler)", emits(0, 1, 2), before=CLOCK,
    after="scheduler.advance(by: 9)", cold=True)
row(
    "timeout(_:scheduler:)", "Observable<Element>.never().timeout(.seconds(1), scheduler: scheduler)", fails(), before=CLOCK,
    after="scheduler.advance(by: 9)")
row(
    "timeout(_:other:scheduler:)", "Observable<Element>.never().timeout(.seconds(1), other: SOURCE(2), scheduler: scheduler)", emits(0, 1),
    before=CLOCK, after="scheduler.advance(by: 9)")
row("timeout(_:scheduler:)", "SOURCE(3).timeout(.seconds(1), scheduler: scheduler)", emits(0, 1, 2), before=CLOCK, after="scheduler.advance(by: 9)")
