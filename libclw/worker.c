/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start, ask and end workers.
 */
#include "config.h"

#include "worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clw_private.h"

enum {
	WORKER_FD = 3,			/* of the socket, in the worker */
	END_MS = 5000,			/* for a worker to end by itself */
};

struct worker {
	struct worker *next;
	int device;
	pthread_mutex_t lock;		/* of what follows: held while it works */
	pid_t pid;			/* 0: none */
	pid_t owner;			/* who has started it */
	int fd;
	enum clw_stage stage;
	bool has_layer;
	char name[CLW_NAME];		/* of the device; "": not known yet */
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker *workers;

extern char **environ;

/* ---- starting ------------------------------------------------------------- */

static bool is_in(const char *directory, size_t directory_length,
		  const char *more, char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%.*s%s/openclaw-clw-worker",
			      (int)directory_length, directory, more);

	return length < PATH_MAX && access(path, X_OK) == 0;
}

/* Beside the library, as in a build tree or a package of Python's; from there as
 * in a prefix that was moved; where openclaw was to be installed. */
static bool find_program(char path[PATH_MAX])
{
	const char *given = getenv("CLW_WORKER"), *own;
	size_t length;

	if (given && *given)
		return (size_t)snprintf(path, PATH_MAX, "%s", given) <
		       PATH_MAX && access(path, X_OK) == 0;
	own = clw_own_directory(&length);
	if (own && (is_in(own, length, "", path) ||
		    is_in(own, length, "/../libexec/openclaw", path) ||
		    is_in(own, length, "/../../libexec/openclaw", path)))
		return true;
	return is_in("", 0, CLAW_PKGLIBEXECDIR, path);
}

/* The program's signals are none of the worker's. */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	int ret;

	sigemptyset(&none);
	sigfillset(&all);
	ret = posix_spawnattr_setsigmask(attributes, &none);
	if (!ret)
		ret = posix_spawnattr_setsigdefault(attributes, &all);
	return ret ? ret : posix_spawnattr_setflags(attributes,
		POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(const char *path, int device, int fd, pid_t *ret_pid)
{
	char number[16], name[] = "openclaw-clw-worker";
	char *const arguments[] = { name, number, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int ret;

	snprintf(number, sizeof(number), "%d", device);
	ret = posix_spawn_file_actions_init(&actions);
	if (ret)
		return ret;
	ret = posix_spawnattr_init(&attributes);
	if (ret) {
		posix_spawn_file_actions_destroy(&actions);
		return ret;
	}
	ret = set_signals(&attributes);
	if (!ret)
		ret = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
						       "/dev/null", O_RDONLY,
						       0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, fd, WORKER_FD);
	if (!ret)
		ret = posix_spawn(ret_pid, path, &actions, &attributes,
				  arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

static int fail_start(const char *path, int error)
{
	return clw_fail(CLW_WORKER_LOST, "the worker %s cannot be started: %s",
			path, strerror(error));
}

static int fail_none(void)
{
	const char *given = getenv("CLW_WORKER");

	if (given && *given)
		return clw_fail(CLW_WORKER_LOST, "CLW_WORKER is '%.400s', which "
				"is no program", given);
	return clw_fail(CLW_WORKER_LOST, "there is no program "
			"openclaw-clw-worker beside libclw, from there in "
			"../libexec/openclaw, or in " CLAW_PKGLIBEXECDIR
			"; CLW_WORKER may name it");
}

static int start(struct worker *worker)
{
	char path[PATH_MAX];
	int ends[2], ret;

	if (!find_program(path))
		return fail_none();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return fail_start(path, errno);
	ret = spawn(path, worker->device, ends[1], &worker->pid);
	close(ends[1]);
	if (ret) {
		close(ends[0]);
		worker->pid = 0;
		return fail_start(path, ret);
	}
	worker->fd = ends[0];
	worker->owner = getpid();
	worker->stage = CLW_STAGE_START;
	worker->has_layer = false;
	worker->name[0] = '\0';
	return CLW_OK;
}

/* ---- ending --------------------------------------------------------------- */

/* It ends when its socket does. Returns its status of waitpid(), or -1: not
 * known (the program takes no notice of its children). */
static int end(struct worker *worker, bool at_once)
{
	uint64_t deadline = clw_deadline(END_MS * CLW_NS_PER_MS);
	pid_t pid = worker->pid, ret;
	int status = -1;

	close(worker->fd);
	worker->pid = 0;
	if (worker->owner != getpid())	/* that of the parent */
		return -1;
	if (at_once)
		kill(pid, SIGKILL);
	for (;;) {
		ret = waitpid(pid, &status, at_once ? 0 : WNOHANG);
		if (ret == pid)
			return status;
		if (ret < 0 && errno != EINTR)
			return -1;
		if (clw_now_ns() >= deadline) {
			kill(pid, SIGKILL);
			at_once = true;
		} else if (!at_once) {
			clw_sleep_ns(CLW_NS_PER_MS);
		}
	}
}

static const char *signal_name(int number, char text[24])
{
	switch (number) {
	case SIGSEGV: return "SIGSEGV";
	case SIGBUS: return "SIGBUS";
	case SIGFPE: return "SIGFPE";
	case SIGILL: return "SIGILL";
	case SIGABRT: return "SIGABRT";
	case SIGKILL: return "SIGKILL";
	default:
		snprintf(text, 24, "signal %d", number);
		return text;
	}
}

/* As the layer tells it, which the worker may have. */
static void say_crash(const struct worker *worker, const char *what, int number)
{
	static const char prefix[] = "workload ";

	if (worker->has_layer)
		return;
	if (strncmp(what, prefix, strlen(prefix)) == 0)
		what += strlen(prefix);
	clw_log_plain(CLAW_LOG_ERROR, "[ERROR] OpenClaw Worker: clw-gpu-crash "
		      "detected\n"
		      "[ERROR]   Device: %s (ID: %d)\n"
		      "[ERROR]   Workload: %s\n"
		      "[ERROR]   Crash type: %s",
		      worker->name[0] ? worker->name : "not known",
		      worker->device < 0 ? 0 : worker->device, what,
		      number == SIGSEGV || number == SIGBUS ?
		      "GPU_MEMORY_SEGFAULT" : number == SIGFPE ?
		      "GPU_ARITHMETIC_FAULT" : number == SIGILL ?
		      "GPU_ILLEGAL_INSTRUCTION" : "GPU_FAULT");
}

/* It has ended in the middle of its work. */
static int fail_ended(struct worker *worker, const char *what)
{
	pid_t pid = worker->pid;
	int status = end(worker, false), number;
	bool launched = worker->stage == CLW_STAGE_KERNEL;
	char text[24];

	if (status < 0 || WIFEXITED(status))
		return clw_fail(CLW_WORKER_LOST, "%s: the worker (process %d) "
				"has ended%s", what, (int)pid, status < 0 ? "" :
				" without a result");
	number = WTERMSIG(status);
	if (number != SIGSEGV && number != SIGBUS && number != SIGFPE &&
	    number != SIGILL && number != SIGABRT)
		return clw_fail(CLW_WORKER_LOST, "%s: the worker (process %d) "
				"was ended by %s", what, (int)pid,
				signal_name(number, text));
	if (launched)
		say_crash(worker, what, number);
	return clw_fail(launched ? CLW_GPU_CRASH : CLW_DRIVER_CRASH, "%s: %s "
			"of the worker (process %d) %s on device '%s'", what,
			signal_name(number, text), (int)pid,
			launched ? "while its kernel ran" :
			"outside of a kernel", worker->name[0] ? worker->name :
			"not known");
}

static int fail_timeout(struct worker *worker, uint64_t timeout_ns,
			const char *what)
{
	static const char *const stages[] = {
		[CLW_STAGE_START] = "the device is being opened",
		[CLW_STAGE_READY] = "it is being prepared",
		[CLW_STAGE_KERNEL] = "its kernel runs",
		[CLW_STAGE_RESULTS] = "its results are being read",
	};
	enum clw_stage stage = worker->stage;

	end(worker, true);
	return clw_fail(CLW_KERNEL_TIMEOUT, "%s has not ended after %.3fs "
			"(%s), and its worker was ended", what,
			(double)timeout_ns / (double)CLW_NS_PER_S,
			stages[stage]);
}

/* ---- asking --------------------------------------------------------------- */

static void take_stage(struct worker *worker, struct clw_wire *wire)
{
	uint64_t stage = clw_get(wire);

	if (stage <= CLW_STAGE_RESULTS)
		worker->stage = (enum clw_stage)stage;
	worker->has_layer = clw_get(wire) != 0;
	snprintf(worker->name, sizeof(worker->name), "%s",
		 clw_get_text(wire));
}

static int take_done(struct worker *worker, struct clw_wire *wire,
		     const char *what)
{
	struct clw_error error = { .status = (int)clw_get(wire) };
	const char *text;

	error.cl_code = (cl_int)clw_get(wire);
	text = clw_get_text(wire);
	if (wire->is_bad) {
		end(worker, true);
		return clw_fail(CLW_WORKER_LOST, "%s: the worker is of another "
				"version", what);
	}
	if (!error.status)
		return CLW_OK;
	clw_fail_cl(error.status, error.cl_code, "%s: %s", what, text);
	if (error.status == CLW_GPU_CRASH)
		say_crash(worker, what, error.cl_code == CLW_NVIDIA_LOST ?
			  SIGSEGV : SIGABRT);
	if (clw_worker_may_help(error.status))
		end(worker, false);
	return error.status;
}

/* Alive, as far as one can know before it is asked. */
static int make_ready(struct worker *worker)
{
	int status;

	if (worker->pid && worker->owner != getpid())
		end(worker, false);
	else if (worker->pid && waitpid(worker->pid, &status, WNOHANG)) {
		close(worker->fd);
		worker->pid = 0;
	}
	return worker->pid ? CLW_OK : start(worker);
}

static int ask(struct worker *worker, enum clw_message type,
	       const struct clw_wire *wire, uint64_t timeout_ns,
	       const char *what, struct clw_wire *reply)
{
	uint64_t deadline = clw_deadline(timeout_ns);
	enum clw_message got;
	int status = make_ready(worker);

	if (status)
		return status;
	if (wire && wire->is_bad)
		return clw_fail_memory();
	if (worker->stage != CLW_STAGE_START)
		worker->stage = CLW_STAGE_READY;
	if (clw_send(worker->fd, type, wire) < 0)
		return fail_ended(worker, what);
	while (clw_receive(worker->fd, deadline, &got, reply) == 0) {
		if (got == CLW_DONE)
			return take_done(worker, reply, what);
		take_stage(worker, reply);
	}
	if (errno == ETIMEDOUT)
		return fail_timeout(worker, timeout_ns, what);
	if (errno == EPIPE || errno == ECONNRESET)
		return fail_ended(worker, what);
	status = errno == ENOMEM ? clw_fail_memory() :
		 clw_fail(CLW_WORKER_LOST, "%s: the worker cannot be "
			  "understood: %s", what, strerror(errno));
	end(worker, true);
	return status;
}

/* ---- the list --------------------------------------------------------------- */

static struct worker *new_worker(int device)
{
	struct worker *worker = calloc(1, sizeof(*worker));

	if (!worker || pthread_mutex_init(&worker->lock, NULL)) {
		free(worker);
		return NULL;
	}
	worker->device = device;
	worker->next = workers;
	workers = worker;
	return worker;
}

/* The default device is one of those with a number, and has that one's. */
static int number_of(int device)
{
	struct clw_settings settings;

	if (device != CLW_DEFAULT_DEVICE || clw_settings_read(&settings))
		return device;
	if (settings.device < 0)
		return 0;
	/* The layer shows the program that device alone, as number 0. */
	return clw_layer_is_there() ? device : settings.device;
}

static struct worker *find(int device, bool make)
{
	struct worker *worker;

	device = number_of(device);
	pthread_mutex_lock(&list_lock);
	for (worker = workers; worker && worker->device != device;
	     worker = worker->next)
		;
	if (!worker && make)
		worker = new_worker(device);
	pthread_mutex_unlock(&list_lock);
	return worker;
}

int clw_worker_ask(int device, enum clw_message type,
		   const struct clw_wire *wire, uint64_t timeout_ns,
		   const char *what, struct clw_wire *reply)
{
	struct worker *worker = find(device, true);
	bool was_there;
	int status;

	if (!worker)
		return clw_fail_memory();
	pthread_mutex_lock(&worker->lock);
	was_there = worker->pid != 0;
	status = ask(worker, type, wire, timeout_ns, what, reply);
	/* Somebody has ended it while it was idle, which takes a GPU's process
	 * some time; nothing has run. */
	if (status == CLW_WORKER_LOST && was_there && !worker->pid &&
	    worker->stage < CLW_STAGE_KERNEL)
		status = ask(worker, type, wire, timeout_ns, what, reply);
	pthread_mutex_unlock(&worker->lock);
	return status;
}

bool clw_worker_may_help(int status)
{
	return status == CLW_GPU_CRASH || status == CLW_DEVICE_LOST ||
	       status == CLW_DRIVER_CRASH || status == CLW_WORKER_LOST ||
	       status == CLW_KERNEL_TIMEOUT;
}

void clw_worker_end(int device)
{
	struct worker *worker = find(device, false);

	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	if (worker->pid)
		end(worker, false);
	pthread_mutex_unlock(&worker->lock);
}

long clwWorkerProcess(int device)
{
	struct worker *worker = find(device, false);
	long pid = 0;

	if (!worker || pthread_mutex_trylock(&worker->lock))
		return worker ? __atomic_load_n(&worker->pid,
						__ATOMIC_RELAXED) : 0;
	if (worker->owner == getpid())
		pid = worker->pid;
	pthread_mutex_unlock(&worker->lock);
	return pid;
}

void clwEndWorkers(void)
{
	struct worker *worker;

	pthread_mutex_lock(&list_lock);
	worker = workers;
	pthread_mutex_unlock(&list_lock);
	for (; worker; worker = worker->next) {
		if (pthread_mutex_trylock(&worker->lock))
			continue;
		if (worker->pid)
			end(worker, false);
		pthread_mutex_unlock(&worker->lock);
	}
}

__attribute__((destructor)) static void end_all(void)
{
	clwEndWorkers();
	while (workers) {
		struct worker *worker = workers;

		workers = worker->next;
		/* One that is at work ends with its socket. */
		if (pthread_mutex_trylock(&worker->lock) == 0) {
			pthread_mutex_unlock(&worker->lock);
			pthread_mutex_destroy(&worker->lock);
			free(worker);
		}
	}
}
