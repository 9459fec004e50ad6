from hypothesis import HealthCheck, settings

settings.register_profile(
    "scoring", deadline=None, max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("scoring")
