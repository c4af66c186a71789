from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes, model_graded_qa
from inspect_ai.solver import generate


@task
def capital():
    sample = Sample(id="capital", input="What is the capital of France?", target="Paris")
    return Task(dataset=[sample], solver=generate(), scorer=[includes(), model_graded_qa()])
